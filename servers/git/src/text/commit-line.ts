import { displayName } from '../backend/display-name.ts';
import { subjectOf, type Commit } from '../backend/commands/log.ts';

/** A commit in one line: short hash, date, author and subject. */
export function commitLine(commit: Commit): string {
  const { hash, author, authored } = commit;
  return `${hash.slice(0, 10)} ${authored.slice(0, 10) || '(no date)'} ${displayName(author.name)}: ${displayName(subjectOf(commit))}`;
}
