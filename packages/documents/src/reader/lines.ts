import type { ReaderRequest } from '../reader-protocol.ts';

/** Maximum number of characters of a line. Longer lines are broken at a space, so that no text is lost. */
const maxLineLength = 2_000;

export function linesOf(text: string): string[] {
  return text.split(/\r\n|[\n\r\u2028\u2029]/).flatMap((line) => {
    const parts: string[] = [];
    let rest = line;
    while (rest.length > maxLineLength) {
      const space = rest.lastIndexOf(' ', maxLineLength);
      const end = space > maxLineLength / 2 ? space : maxLineLength;
      parts.push(rest.slice(0, end));
      rest = rest.slice(end).trimStart();
    }
    return [...parts, rest];
  });
}

/** Returns the lines from `offset` on: as many as `limit` and `maxCharacters` permit, but at least one. */
export function selectLines(
  lines: readonly string[],
  { offset = 1, limit = Infinity, maxCharacters }: ReaderRequest,
): readonly string[] {
  let length = 0;
  let end = offset - 1;
  while (end < lines.length && end - offset + 1 < limit) {
    length += lines[end]!.length + 1;
    if (length > maxCharacters && end > offset - 1) break;
    end++;
  }
  return lines.slice(offset - 1, end);
}
