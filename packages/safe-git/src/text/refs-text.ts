import { displayName } from '../backend/display-name.ts';
import { countText } from './count-text.ts';
import type { Ref } from '../backend/commands/refs.ts';
import type { RefsPage } from '../backend/queries/refs-page.ts';

/** Branches or tags, one per line, and how many there are; at most 1,000. */
export function refsText({ refs, total }: RefsPage, one: string, several: string): string {
  if (total === 0) return 'None';
  const all = total === refs.length;
  const end = all ? countText(total, one, several) : `… ${total} in total; git_branch lists them in pages`;
  return [...refs.map(refLine), end].join('\n');
}

export const maxRefs = 1_000;

export function refLine({ name, hash, current, upstream, track, date, subject }: Ref): string {
  const follows = upstream === undefined ? '' : ` [${displayName(upstream)}${track ? `: ${track}` : ''}]`;
  return `${current ? '*' : ' '} ${displayName(name)} ${hash.slice(0, 10)} ${date.slice(0, 10)}${follows} ${displayName(subject)}`;
}
