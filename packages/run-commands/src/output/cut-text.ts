/** Returns the first `length` UTF-16 code units of a text, or one fewer if that would split a character. */
export function cutText(text: string, length: number): string {
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(length - 1));
  return text.slice(0, isHalf ? length - 1 : length);
}
