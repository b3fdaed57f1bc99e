/**
 * Escape sequences of terminals: CSI, OSC and the others, each up to its terminator or the end of the text.
 */
const sequences = new RegExp(
  [
    String.raw`\u001b\[[0-?]*[ -/]*[@-~]`,
    String.raw`\u009b[0-?]*[ -/]*[@-~]`,
    String.raw`\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\|$)`,
    String.raw`\u001b[ -/]*[0-~]`,
  ].join('|'),
  'g',
);

/** Other control characters, and marks that change the direction of text or cannot be seen. */
const invisible =
  /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Text of a server as a terminal may show it: without control sequences; line breaks and tabs stay. */
export function sanitize(text: string): string {
  return text
    .replace(sequences, '')
    .replaceAll('\r\n', '\n')
    .replace(invisible, (character) => (character === '\n' || character === '\t' ? character : '\ufffd'));
}

/** JSON of a value, in which those characters are escaped: the same value, whatever displays it. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(invisible, (character) =>
    character === '\n' ? character : character.split('').map(escapeOf).join(''),
  );
}

function escapeOf(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Text of a server on one line, without control sequences. */
export function sanitizeLine(text: string): string {
  return sanitize(text).replaceAll(/\s+/g, ' ').trim();
}
