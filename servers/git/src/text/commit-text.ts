import { displayName, displayText } from '../backend/display-name.ts';
import type { Commit, Person } from '../backend/commands/log.ts';

/** A commit with its whole message, which is indented so that its lines cannot be taken for headers. */
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
    ...displayText(message)
      .split('\n')
      .map((line) => `    ${line}`),
  ].join('\n');
}

function personText({ name, email }: Person): string {
  return `${displayName(name)} <${displayName(email)}>`;
}
