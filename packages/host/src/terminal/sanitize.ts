import { escapeText, hiddenInText, oneLine } from '@mcp/kit';

/** Escape sequences of terminals: CSI, OSC and others, each up to its terminator or the end of the text. */
const sequences = new RegExp(
  [
    String.raw`\u001b\[[0-?]*[ -/]*[@-~]`,
    String.raw`\u009b[0-?]*[ -/]*[@-~]`,
    String.raw`\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\|$)`,
    String.raw`\u001b[ -/]*[0-~]`,
  ].join('|'),
  'g',
);

/** Text of a server without control sequences. Other hidden characters are escaped; line breaks are kept. */
export function sanitize(text: string): string {
  return escapeText(text.replace(sequences, '').replaceAll('\r\n', '\n'));
}

/** JSON of a value with escapes for hidden characters: safe to display, and parsed to the same value. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(hiddenInText(), (character) =>
    character.split('').map(escapeOf).join(''),
  );
}

function escapeOf(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Text of a server on one line, without control sequences. */
export function sanitizeLine(text: string): string {
  return oneLine(text.replace(sequences, ''));
}
