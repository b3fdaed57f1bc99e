import { displayName } from '../backend/display-name.ts';
import type { ReflogEntry } from '../backend/commands/reflog.ts';

/** A movement in one line: where it is in the reflog, the commit, what moved it, and the subject. */
export function reflogLine({ selector, hash, date, action, subject }: ReflogEntry): string {
  const same = action.endsWith(subject) ? '' : ` | ${displayName(subject)}`;
  return `${displayName(selector)} ${hash.slice(0, 10)} ${date.slice(0, 16)} ${displayName(action)}${same}`;
}
