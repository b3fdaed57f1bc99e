import { displayName } from '../backend/display-name.ts';
import type { Ref } from '../backend/commands/refs.ts';
import type { RefsPage } from '../backend/queries/refs-page.ts';

/** Branches or tags, one per line; at most 1,000. */
export function refsText({ refs, total }: RefsPage): string {
  const lines = refs.map(refLine);
  if (total > refs.length) lines.push(`… ${total} in total; git_branch lists them in pages`);
  return lines.join('\n') || 'None';
}

export const maxRefs = 1_000;

export function refLine({ name, hash, current, upstream, track, date, subject }: Ref): string {
  const follows = upstream === undefined ? '' : ` [${displayName(upstream)}${track ? `: ${track}` : ''}]`;
  return `${current ? '*' : ' '} ${displayName(name)} ${hash.slice(0, 10)} ${date.slice(0, 10)}${follows} ${displayName(subject)}`;
}
