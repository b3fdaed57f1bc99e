/**
 * Maximum nesting of a value: far deeper than a schema or a configuration needs, and far below the limit of
 * JSON and recursive functions.
 */
export const maxNesting = 500;

/**
 * Whether a value is nested deeper than `maxNesting`. The check is not recursive, so that no nesting is too
 * deep for the check itself.
 */
export function isTooDeep(value: object): boolean {
  let level: readonly object[] = [value];
  for (let depth = 0; depth <= maxNesting; depth++) {
    level = level
      .flatMap((each): unknown[] => Object.values(each))
      .filter((each): each is object => typeof each === 'object' && each !== null);
    if (level.length === 0) return false;
  }
  return true;
}
