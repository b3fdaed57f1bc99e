/** Escape sequences of terminals: CSI, OSC and the others, ended by what ends them or by the end of the text. */
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
const invisible = /[\p{Cc}\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** Text of a server as a terminal may show it: without control sequences; line breaks and tabs stay. */
export function sanitize(text: string): string {
  return text
    .replace(sequences, '')
    .replaceAll('\r\n', '\n')
    .replace(invisible, (character) => (character === '\n' || character === '\t' ? character : '\ufffd'));
}

/** The same on one line. */
export function sanitizeLine(text: string): string {
  return sanitize(text).replaceAll(/\s+/g, ' ').trim();
}
