import type { NearMisses } from '../list/near-misses.ts';
import { counted } from '../counted.ts';

/** Returns text to append to the message that nothing matches; empty if there are no near misses. */
export function nearMissesText(nearMisses: NearMisses | undefined): string {
  if (!nearMisses) return '';
  const { outOfRange, otherKinds, similar, extensions } = nearMisses;
  const parts = [
    outOfRange > 0 && `${matching(outOfRange)} the pattern, but not the sizes and times`,
    otherKinds > 0 && `${matching(otherKinds)} the pattern, but not the requested kind`,
    similar.length > 0 && `similar paths are ${similar.map((path) => `"${path}"`).join(', ')}`,
    extensions.length > 0 && `extensions there are ${extensions.join(', ')}`,
  ];
  return parts.map((part) => (part ? `; ${part}` : '')).join('');
}

function matching(count: number): string {
  return `${counted(count, 'path')} ${count === 1 ? 'matches' : 'match'}`;
}
