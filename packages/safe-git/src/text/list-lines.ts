import type { DeletableBranch } from '../actions/branches/delete-branches.ts';
import type { Stash } from '../commands/work-tree/stash.ts';
import type { Worktree } from '../commands/work-tree/worktrees.ts';
import type { Remote } from '../queries/names/remotes.ts';
import type { Setting } from '../trust/git-config.ts';
import { escapeName, listedPath } from '../safe-text.ts';
import { countedList, countText } from './count-text.ts';

/** A stash in one line: its number, hash, date and message. */
export function stashLine({ index, hash, date, message }: Stash): string {
  return `${index}: ${hash.slice(0, 10)} ${date.slice(0, 10)} ${escapeName(message)}`;
}

/** A work tree in one line: its path, commit, branch and state. */
export function worktreeLine({ path, hash, branch, locked, prunable }: Worktree): string {
  const notes = [...(locked ? ['locked'] : []), ...(prunable ? ['its directory is gone'] : [])];
  return [
    listedPath(path),
    hash?.slice(0, 10) ?? '',
    escapeName(branch ?? '(detached)'),
    ...(notes.length === 0 ? [] : [`(${notes.join(', ')})`]),
  ].join(' ');
}

/** Returns a URL without the password that it may contain. */
export function shownUrl(url: string): string {
  return escapeName(url.replace(/^([a-z+]+:\/\/[^/@:]*):[^/@]*@/, '$1:…@'));
}

/** Names the deleted branches, and says how to create them again. */
export function deletedBranchesText(
  branches: readonly DeletableBranch[],
  settings: readonly Setting[],
  rest: string,
): string {
  const deleted = branches.map((branch) => deletedBranchLine(branch, settings));
  const hasUpstream = branches.some(({ upstream, track }) => upstream !== undefined && track !== 'gone');
  const from = `its commit${hasUpstream ? ' and its upstream in brackets' : ''}`;
  const count = countText(branches.length, 'branch', 'branches');
  return `Deleted ${count}${rest}; to restore a branch, create it with ${from}:\n${deleted.join('\n')}`;
}

/** The line has the commit and upstream, to create the branch again, and names the lost settings. */
function deletedBranchLine(
  { name, hash, upstream, track }: DeletableBranch,
  settings: readonly Setting[],
): string {
  const prefix = `branch.${name}.`;
  const others = settings
    .map(({ key }) => key)
    .filter((key) => key.startsWith(prefix) && !/^(remote|merge)$/.test(key.slice(prefix.length)));
  const lost = [
    ...(upstream !== undefined && track === 'gone'
      ? [`its upstream ${escapeName(upstream)}, which is gone`]
      : []),
    ...new Set(others.map(escapeName)),
  ];
  const kept = upstream === undefined || track === 'gone' ? '' : ` [${escapeName(upstream)}]`;
  return `${escapeName(name)} ${hash.slice(0, 10)}${kept}${lost.length === 0 ? '' : ` without ${lost.join(', ')}`}`;
}

export function remotesText(remotes: readonly Remote[]): string {
  if (remotes.length === 0) return 'No remotes';
  const lines = remotes.map(({ name, url }) => `${escapeName(name)} ${shownUrl(url)}`);
  return countedList(lines, 'remote');
}
