import { displayName } from '../backend/commands/display-name.ts';
import type { Ref } from '../backend/commands/refs.ts';

/** Branches or tags, one in a line. */
export function refsText(refs: readonly Ref[]): string {
  return refs.map(refLine).join('\n') || 'None';
}

export function refLine({ name, hash, current, upstream, track, subject }: Ref): string {
  const follows = upstream === undefined ? '' : ` [${displayName(upstream)}${track ? `: ${track}` : ''}]`;
  return `${current ? '*' : ' '} ${displayName(name)} ${hash.slice(0, 10)}${follows} ${displayName(subject)}`;
}
