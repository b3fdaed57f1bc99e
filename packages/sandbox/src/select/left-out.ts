import { counted } from '../counted.ts';

/** Returns a line for each skipped directory: the number of matches in it, and how to include them. */
export function leftOutLines(leftOut: ReadonlyMap<string, number> = new Map()): string[] {
  const names = [...leftOut.keys()].toSorted((one, other) => (one < other ? -1 : 1));
  return names.map((name) => {
    const count = counted(leftOut.get(name)!, 'match', 'matches');
    return `${count} in ${name} left out; name ${name} in the glob to include what is there`;
  });
}
