/**
 * The maximum depth of nesting: more than schemas need, and too little for a recursive function to overflow
 * the stack.
 */
export const maxNesting = 500;

/** Whether a value is nested deeper than `maxNesting`; not recursive, so that any depth can be checked. */
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
