import type { Ref } from '../commands/refs/refs.ts';
import { escapeName } from '../safe-text.ts';
import type { RefsPage } from '../queries/history/refs-page.ts';
import { countText } from './count-text.ts';

/** At most 1,000 branches or tags, one per line, and how many there are in all. */
export function refsText({ refs, total }: RefsPage, one: string, several: string): string {
  if (total === 0) return 'None';
  const all = total === refs.length;
  const end = all ? countText(total, one, several) : `… ${total} in total`;
  return [...refs.map(refLine), end].join('\n');
}

export const maxRefs = 1_000;

export function refLine({ name, hash, current, upstream, track, date, subject }: Ref): string {
  const follows = upstream === undefined ? '' : ` [${escapeName(upstream)}${track ? `: ${track}` : ''}]`;
  return `${current ? '*' : ' '} ${escapeName(name)} ${hash.slice(0, 10)} ${date.slice(0, 10)}${follows} ${escapeName(subject)}`;
}
