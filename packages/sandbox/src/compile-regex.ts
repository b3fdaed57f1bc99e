import { quoted } from './display-name.ts';

const maxPatternLength = 1000;

/**
 * The source and flags of an expression whose `^` and `$` match at line breaks: with the `u` flag,
 * which `\p{…}` needs; without it for expressions with unnecessary escapes. Throws for an invalid one.
 */
export function compileRegex(pattern: string, ignoreCase: boolean): { source: string; flags: string } {
  if (pattern.length > maxPatternLength)
    throw new Error(`Regular expression longer than ${maxPatternLength} characters: ${quoted(pattern)}`);
  const flags = ignoreCase ? 'mi' : 'm';
  for (const attempt of [`${flags}u`, flags]) {
    try {
      return { source: new RegExp(pattern, attempt).source, flags: attempt };
    } catch (error) {
      if (attempt === flags) {
        const reason = error instanceof Error ? error.message.replace(/^.*: /s, '') : String(error);
        throw new Error(`Invalid regular expression (${reason}): ${quoted(pattern)}`, { cause: error });
      }
    }
  }
  throw new Error(`Invalid regular expression: ${quoted(pattern)}`);
}
