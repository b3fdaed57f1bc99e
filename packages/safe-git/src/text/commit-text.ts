import { subjectOf, type Commit, type Person } from '../commands/history/log.ts';
import type { ReflogEntry } from '../commands/history/reflog.ts';
import { escapeName, escapeText, quoted } from '../safe-text.ts';
import type { Origin } from '../queries/history/renamed-from.ts';
import type { AnnotatedTag } from '../parse/tag-object.ts';

/** A commit in one line: short hash, date, author and subject. */
export function commitLine(commit: Commit): string {
  const { hash, author, authored } = commit;
  return `${hash.slice(0, 10)} ${authored.slice(0, 10) || '(no date)'} ${escapeName(author.name)}: ${escapeName(subjectOf(commit))}`;
}

export function commitText({
  hash,
  parents,
  author,
  authored,
  committer,
  committed,
  message,
}: Commit): string {
  const other = committer.name !== author.name || committer.email !== author.email || committed !== authored;
  return [
    `commit ${hash}`,
    ...(parents.length === 0 ? [] : [`Parents: ${parents.join(' ')}`]),
    `Author: ${personText(author)} ${authored}`,
    ...(other ? [`Committer: ${personText(committer)} ${committed}`] : []),
    ...indented(message),
  ].join('\n');
}

/** An annotated tag with its message. */
export function tagText({ name, tagger, date, message }: AnnotatedTag): string {
  return [
    `tag ${escapeName(name)}`,
    ...(tagger === undefined ? [] : [`Tagger: ${personText(tagger)} ${date}`]),
    ...indented(message),
  ].join('\n');
}

/**
 * The last line of the log of a renamed path. It names the former path, whose log has the earlier commits.
 */
export function originLine({ path, commit, isDirectory }: Origin): string {
  const way = isDirectory ? 'ask for that path' : 'ask for that path, or pass follow';
  return `Renamed from ${quoted(path)} in ${commit.slice(0, 10)}; ${way}`;
}

const maxFormer = 20;

/** The former paths of a followed file in one line, newest first. */
export function formerPathsLine(former: readonly Origin[]): string {
  const named = former
    .slice(0, maxFormer)
    .map(({ path, commit }) => `from ${quoted(path)} in ${commit.slice(0, 10)}`);
  const more = former.length > maxFormer ? `; and ${former.length - maxFormer} earlier renames` : '';
  return `Renamed ${named.join(', ')}${more}`;
}

/** An entry of the reflog in one line: selector, commit, date, action and subject. */
export function reflogLine({ selector, hash, date, action, subject }: ReflogEntry): string {
  const same = action.endsWith(subject) ? '' : ` | ${escapeName(subject)}`;
  return `${escapeName(selector)} ${hash.slice(0, 10)} ${date.slice(0, 16)} ${escapeName(action)}${same}`;
}

/** The lines of a message, indented so that no line looks like a header. */
function indented(message: string): string[] {
  return escapeText(message)
    .split('\n')
    .map((line) => `    ${line}`);
}

function personText({ name, email }: Person): string {
  return `${escapeName(name)} <${escapeName(email)}>`;
}
