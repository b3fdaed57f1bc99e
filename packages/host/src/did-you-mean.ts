import { closestNames } from '@mcp/kit';

/** The end of a message about an unknown name: `; did you mean "a" or "b"?`; empty where no name is close. */
export function didYouMean(name: string, names: Iterable<string>, max?: number): string {
  const close = closestNames(name, names, max).map((each) => `"${each}"`);
  return close.length === 0 ? '' : `; did you mean ${close.join(' or ')}?`;
}
