import { displayName, displayText } from '../backend/display-name.ts';
import type { Commit, Person } from '../backend/commands/log.ts';

/** A commit with its whole message. */
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

/** The lines of a message, indented so that none looks like a header. */
export function indented(message: string): string[] {
  return displayText(message)
    .split('\n')
    .map((line) => `    ${line}`);
}

export function personText({ name, email }: Person): string {
  return `${displayName(name)} <${displayName(email)}>`;
}
