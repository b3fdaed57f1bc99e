/** A count with its noun, such as `1 branch` or `3 branches`. */
export function countText(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}

const maxListed = 500;

/** A list with its count; at most 500 lines of it. */
export function countedList(lines: readonly string[], one: string, several?: string): string {
  const count = countText(lines.length, one, several);
  return [...lines.slice(0, maxListed), lines.length > maxListed ? `… ${count}` : count].join('\n');
}
