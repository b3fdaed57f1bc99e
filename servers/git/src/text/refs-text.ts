import { displayName } from '../backend/display-name.ts';
import type { Ref } from '../backend/commands/refs.ts';

/** Branches or tags, one in a line; of very many, the first. */
export function refsText(refs: readonly Ref[]): string {
  const lines = refs.slice(0, most).map(refLine);
  if (refs.length > most) lines.push(`… ${refs.length} in all; git_branch has them page by page`);
  return lines.join('\n') || 'None';
}

const most = 1_000;

export function refLine({ name, hash, current, upstream, track, subject }: Ref): string {
  const follows = upstream === undefined ? '' : ` [${displayName(upstream)}${track ? `: ${track}` : ''}]`;
  return `${current ? '*' : ' '} ${displayName(name)} ${hash.slice(0, 10)}${follows} ${displayName(subject)}`;
}
