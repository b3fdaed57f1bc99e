import { messageOf, quoted } from '@mcp/kit';

const maxPatternLength = 1000;

/**
 * Returns the source and flags of a regular expression whose `^` and `$` match at line breaks; with
 * `isMultiline`, its `.` matches line breaks. Adds the flag `u`, which `\p{…}` needs, unless the expression
 * is valid only without the flag, as with unnecessary escapes. Throws if the expression is invalid or has
 * more than 1,000 characters.
 */
export function compileRegex(
  pattern: string,
  ignoreCase: boolean,
  isMultiline = false,
): { source: string; flags: string } {
  if (pattern.length > maxPatternLength)
    throw new Error(`Regular expression longer than ${maxPatternLength} characters: ${quoted(pattern)}`);
  const flags = `m${ignoreCase ? 'i' : ''}${isMultiline ? 's' : ''}`;
  try {
    return new RegExp(pattern, `${flags}u`);
  } catch {
    // The expression is not valid with the flag `u`, but perhaps without it.
  }
  try {
    return new RegExp(pattern, flags);
  } catch (error) {
    const reason = messageOf(error).replace(/^.*: /s, '');
    throw new Error(`Invalid regular expression (${reason}): ${quoted(pattern)}`, { cause: error });
  }
}
