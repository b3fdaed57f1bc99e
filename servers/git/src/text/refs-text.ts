import { displayName } from '../backend/display-name.ts';
import type { Ref } from '../backend/commands/refs.ts';

/** Branches or tags, one per line; at most 1,000. */
export function refsText(refs: readonly Ref[]): string {
  const lines = refs.slice(0, maxRefs).map(refLine);
  if (refs.length > maxRefs) lines.push(`… ${refs.length} in total; git_branch lists them in pages`);
  return lines.join('\n') || 'None';
}

const maxRefs = 1_000;

export function refLine({ name, hash, current, upstream, track, subject }: Ref): string {
  const follows = upstream === undefined ? '' : ` [${displayName(upstream)}${track ? `: ${track}` : ''}]`;
  return `${current ? '*' : ' '} ${displayName(name)} ${hash.slice(0, 10)}${follows} ${displayName(subject)}`;
}
