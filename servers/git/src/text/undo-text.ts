import {
  escapeName,
  type IntegrationResult,
  listedPath,
  quoted,
  type RemovableWorktree,
  shortList,
  stateText,
  type Untracked,
} from '@mcp/safe-git';

const maxNamed = 20;

/** How to keep the commits that a detached HEAD has left; empty without such commits. */
export function leftText(commit: string | undefined): string {
  if (commit === undefined) return '';
  const was = commit.slice(0, 10);
  return `; HEAD was at ${was}, a commit that is on no branch: git_create_branch with base_branch ${was} keeps it`;
}

/** The call that makes git track the files again, or the files for which this cannot be undone. */
export function undoOfUntrack({ unstaged, staged, deleted, lost }: Untracked): string {
  const named = (paths: readonly string[]) => shortList(paths, maxNamed, listedPath);
  if (lost.length > 0 || staged.length > maxNamed || (staged.length > 0 && unstaged.length > maxNamed))
    return `this cannot be undone for files that were staged or in conflict: ${named([...lost, ...staged])}`;
  const unstage = 'to undo: git_restore with staged and';
  if (staged.length === 0) {
    if (deleted.length === 0) return `${unstage} the same paths`;
    if (unstaged.length <= maxNamed) return `${unstage} paths ${named(unstaged)}`;
    return `${unstage} the same paths, which also unstages the deletion of ${named(deleted)}`;
  }
  if (unstaged.length === 0) return `to undo: git_add with files ${named(staged)}`;
  return `${unstage} paths ${named(unstaged)}, then git_add with files ${named(staged)}`;
}

/**
 * The call that restores the conflicts of the files `taken`. If only their directory was given, the call
 * names the files, because the directory may contain other conflicts that were resolved before.
 */
export function undoOfSide(given: readonly string[], taken: readonly string[]): string {
  const undo = 'to undo: git_restore with side "conflict"';
  if (taken.every((path) => given.includes(path))) return `${undo} and the same paths`;
  if (taken.length > maxNamed) return `${undo}, for one file at a time`;
  return `${undo} and paths ${taken.map(listedPath).join(', ')}`;
}

/**
 * The calls that undo a reset. It moved HEAD from `before`; `kept` is a commit with the work it discarded.
 */
export function undoOfReset(mode: string, before: string | undefined, kept: string): string {
  const commit = kept.slice(0, 10);
  const moveBack =
    before === undefined
      ? ''
      : `git_reset with mode "${mode === 'hard' ? 'hard' : 'soft'}" and revision ${before}, then `;
  const bringBack =
    mode === 'hard'
      ? `git_stash with action "apply" and commit ${commit}`
      : `git_restore with staged, source ${commit}^2 and paths "."`;
  return `; to undo: ${moveBack}${bringBack}`;
}

/** The calls that bring back what restoring files has discarded, of tracked and untracked files. */
export function undoOfRestore(
  tracked: readonly string[],
  untracked: readonly string[],
  kept: string | undefined,
  purpose = 'to undo',
): string {
  if (kept === undefined) return '';
  const commit = kept.slice(0, 10);
  const one = (paths: readonly string[], source: string) => {
    return paths.length === 0 ? [] : [`git_restore with source ${source} and ${namedPaths(paths)}`];
  };
  return `; ${purpose}: ${[...one(tracked, commit), ...one(untracked, `${commit}^3`)].join(', then ')}`;
}

/** The call that stages these files again, with the content or the removal that only the index had. */
export function undoOfUnstage(paths: readonly string[], kept: string): string {
  return `; to undo: git_restore with staged, source ${kept.slice(0, 10)}^2 and ${namedPaths(paths)}`;
}

function namedPaths(paths: readonly string[]): string {
  return paths.length > maxNamed ? 'the same paths' : `paths ${paths.map(listedPath).join(', ')}`;
}

/**
 * Says how a removed work tree is brought back. `kept` is a commit with its uncommitted work, if it had any.
 */
export function removedText(
  path: string,
  { revision, why }: RemovableWorktree,
  kept: string | undefined,
): string {
  const add =
    revision === undefined
      ? ''
      : `git_worktree with action "add", path ${quoted(path)} and revision ${quoted(revision)}`;
  const apply =
    kept === undefined
      ? ''
      : `, then git_stash with action "apply", commit ${kept.slice(0, 10)} and repo_path ${quoted(path)}`;
  const lost = why === undefined ? '' : `; ${why}`;
  return add === '' ? `Removed${lost}` : `Removed; to undo: ${add}${apply}${lost}`;
}

export function integrationText(result: IntegrationResult): string {
  const { before, entangled = [], abandoned, alsoMoved = [] } = result;
  const state = stateText(result);
  if (abandoned !== undefined) {
    const last = abandoned.slice(0, 10);
    return `${state}; the commits made until then end at ${last}: git_create_branch with base_branch ${last} keeps them`;
  }
  if (before === undefined) return state;
  const was = before.slice(0, 10);
  if (entangled.length > 0)
    return `${state}; HEAD was at ${was}; this cannot be undone exactly, because files with local changes were changed: ${shortList(entangled, 5, listedPath)}`;
  const moved = alsoMoved.map(({ name, hash }) => `${escapeName(name)} from ${hash.slice(0, 10)}`).join(', ');
  const others = `; rebase.updateRefs has also moved ${moved}: git_create_branch with move and the former commit as base_branch moves a branch back`;
  return `${state}; to undo: git_reset with mode "keep" and revision ${was}${moved === '' ? '' : others}`;
}
