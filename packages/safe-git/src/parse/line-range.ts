import type { Refusal } from '../command.ts';
import { quoted } from '../safe-text.ts';

export const lineRefusals: readonly Refusal[] = [
  [/has only (\d+) lines?/, ([, lines]) => `The file has only ${lines} lines`],
  [
    /-L parameter '(.*)' starting at line \d+: no match/,
    ([, pattern = '']) => `No such function in the file: ${quoted(pattern.replace(/\\b|\\(?=[.$])/g, ''))}`,
  ],
];

/** Returns the value of git's option `-L` for a function. Throws if the name is not an identifier. */
export function functionRange(name: string): string {
  if (!/^[\p{L}\p{N}_$~.-]{1,200}$/u.test(name))
    throw new Error(`Invalid function: ${quoted(name)}; expected the name of a function, such as "main"`);
  // Git reads the name as a basic regular expression, so special characters are escaped.
  return `:\\b${name.replace(/[.$]/g, '\\$&')}\\b`;
}

/** Returns the value of git's option `-L` for lines such as `10-20` or `7`. Throws for any other text. */
export function lineRange(lines: string): string {
  const [, from, to = from] = /^([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?$/.exec(lines) ?? [];
  if (from === undefined || Number(to) < Number(from))
    throw new Error(`Invalid lines: ${quoted(lines)}; expected a range such as "10-20"`);
  return `${from},${to}`;
}
