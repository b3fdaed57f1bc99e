/** The beginning of a text, of at most `length` UTF-16 units, which does not end within a character. */
export function cutText(text: string, length: number): string {
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(length - 1));
  return text.slice(0, isHalf ? length - 1 : length);
}
