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
  return `; HEAD was at ${was}, which no branch has: git_create_branch with base_branch ${was} keeps it`;
}

/** The call that tracks the files again as they were. */
export function undoOfUntrack({ unstaged, staged, deleted, lost }: Untracked): string {
  const named = (paths: readonly string[]) => shortList(paths, maxNamed, listedPath);
  if (lost.length > 0 || staged.length > maxNamed || (staged.length > 0 && unstaged.length > maxNamed))
    return `no call undoes it for what was staged or in conflict: ${named([...lost, ...staged])}`;
  if (staged.length === 0) {
    if (deleted.length === 0) return 'git_restore with staged undoes it';
    if (unstaged.length <= maxNamed) return `git_restore with staged of ${named(unstaged)} undoes it`;
    return `git_restore with staged undoes it, and unstages the deletion of ${named(deleted)}`;
  }
  if (unstaged.length === 0) return `git_add of ${named(staged)} undoes it`;
  return `to undo it, git_restore with staged restores ${named(unstaged)}, git_add ${named(staged)}`;
}

/** The call that restores the conflicts of `taken`; a given directory may have others, resolved before. */
export function undoOfSide(given: readonly string[], taken: readonly string[]): string {
  if (taken.every((path) => given.includes(path))) return 'side conflict undoes it';
  if (taken.length > maxNamed) return 'side conflict undoes it for one file at a time';
  return `side conflict of ${taken.map(listedPath).join(', ')} undoes it`;
}

/** The calls that undo a reset, which has moved HEAD from `before` and discarded what `kept` keeps. */
export function undoOfReset(mode: string, before: string | undefined, kept: string): string {
  const commit = kept.slice(0, 10);
  const moveBack =
    before === undefined ? '' : `git_reset ${mode === 'hard' ? 'hard' : 'soft'} to ${before}, then `;
  const bringBack =
    mode === 'hard'
      ? `git_stash apply with commit ${commit}`
      : `git_restore of "." with staged and source ${commit}^2`;
  return `; ${moveBack}${bringBack} undoes it`;
}

/** The calls that bring back what restoring files has discarded, of tracked and untracked files. */
export function undoOfRestore(
  tracked: readonly string[],
  untracked: readonly string[],
  kept: string | undefined,
  does = 'undoes it',
): string {
  if (kept === undefined) return '';
  const commit = kept.slice(0, 10);
  const one = (paths: readonly string[], source: string) => {
    const named = paths.length > maxNamed ? 'the same paths' : paths.map(listedPath).join(', ');
    return paths.length === 0 ? [] : [`git_restore of ${named} with source ${source}`];
  };
  return `; ${[...one(tracked, commit), ...one(untracked, `${commit}^3`)].join(', then ')} ${does}`;
}

/** The call that stages again what was only staged, of these files. */
export function undoOfUnstage(paths: readonly string[], kept: string): string {
  const named = paths.length > maxNamed ? 'the same paths' : paths.map(listedPath).join(', ');
  return `; git_restore of ${named} with staged and source ${kept.slice(0, 10)}^2 undoes it`;
}

/** Says how a removed work tree is brought back, with the work that `kept` keeps. */
export function removedText(
  path: string,
  { revision, why }: RemovableWorktree,
  kept: string | undefined,
): string {
  const add =
    revision === undefined ? '' : `git_worktree add of ${quoted(path)} at revision ${quoted(revision)}`;
  const apply =
    kept === undefined
      ? ''
      : `, then git_stash apply with commit ${kept.slice(0, 10)} and repo_path ${quoted(path)}`;
  const lost = why === undefined ? '' : `; ${why}`;
  return add === '' ? `Removed${lost}` : `Removed; ${add}${apply} undoes it${lost}`;
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
    return `${state}; it was at ${was}, and no call undoes it exactly: it changed files with local changes: ${shortList(entangled, 5, listedPath)}`;
  const moved = alsoMoved.map(({ name, hash }) => `${escapeName(name)} from ${hash.slice(0, 10)}`).join(', ');
  const others = `; rebase.updateRefs has moved ${moved}: git_create_branch with move and base_branch moves one back`;
  return `${state}; git_reset keep to ${was} undoes it${moved === '' ? '' : others}`;
}
