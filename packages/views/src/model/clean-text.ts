/** Controls, characters that hide or reorder text, lone surrogates and separators of lines. */
const hidden = /(?!\n|\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** More marks on a letter than these would paint over the lines around it. */
const stackedMarks = /(\p{M}{3})\p{M}+/gu;

/**
 * A text of others as it can be shown: cut after `maxLength` characters, without hidden characters, with
 * single spaces. Returns an empty text for another value.
 */
export function cleanText(value: unknown, maxLength: number): string {
  if (typeof value !== 'string') return '';
  // Only the beginning is looked at, so that a text of any length takes little time.
  const shown = value.length > maxLength ? `${value.slice(0, maxLength)}…` : value;
  return shown
    .replace(hidden, ' ')
    .replace(stackedMarks, '$1')
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n[ \n]*\n/g, '\n\n')
    .trim();
}

/**
 * A text of others as it is, cut after `maxLength` characters: hidden characters, also those that reorder
 * text, are shown by their codes, such as `\u{202e}`. Returns an empty text for another value.
 */
export function escapedText(value: unknown, maxLength: number): string {
  if (typeof value !== 'string') return '';
  const shown = value.length > maxLength ? `${value.slice(0, maxLength)}…` : value;
  return shown.replace(hidden, escapeOf).replace(stackedMarks, '$1');
}

function escapeOf(character: string): string {
  const code = character.codePointAt(0)!;
  return { 9: '\\t', 13: '\\r' }[code] ?? `\\u{${code.toString(16)}}`;
}
