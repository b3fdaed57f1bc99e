/** A count with its noun, such as `1 branch` or `3 branches`. */
export function countText(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
