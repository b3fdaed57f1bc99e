// The repositories in the allowed directories, and one of them, which runs commands.
export { Repositories, type RepositoriesOptions } from './repositories.ts';
export type { CallOptions, Repository } from './repository.ts';
export { AllowedDirectories } from './access/allowed-directories.ts';
export type { Timeouts } from './trust/git-context.ts';
export type { Setting } from './trust/git-config.ts';
export type { Aspect } from './watch/watched-aspect.ts';
export type { Progress } from './process/progress.ts';

// Checked arguments: paths, URLs, revisions, dates, ranges of lines.
export { newDirectory } from './access/new-directory.ts';
export { workTreePath, workTreePaths } from './access/work-tree-path.ts';
export { parseRemoteUrl } from './access/remote-url.ts';
export { pathsInTheWay } from './queries/untracked-in-the-way.ts';
export { repositoriesInside } from './access/repositories-inside.ts';
export { SymlinkedPaths } from './access/symlinked-paths.ts';
export { readSmallFile } from './read-small-file.ts';
export {
  checkCommits,
  checkObjectName,
  checkRefName,
  checkRevision,
  checkRevisionOrRange,
} from './parse/validate-revision.ts';
export { offsetCursor, parseOffset } from './parse/offset-cursor.ts';
export { checkPattern, checkText } from './parse/validate-pattern.ts';
export { dateLimit } from './parse/date-limit.ts';
export { functionRange, lineRange } from './parse/line-range.ts';

// Commands of git as data.
export type { Command, CommandOutput, OutputReader } from './command.ts';
export { blame, type BlameHunk } from './commands/blame.ts';
export { branchExists, checkout, createTag, deleteTag, tagTarget } from './commands/branches.ts';
export type { TreeEntry } from './commands/cat-file.ts';
export { changeRemote, type RemoteChange } from './commands/change-remote.ts';
export { commit, messageOf } from './commands/commit.ts';
export { conflictedPaths } from './commands/index-entries.ts';
export { diff, type DiffOptions } from './commands/diff.ts';
export { grep } from './commands/grep.ts';
export type { Integration } from './commands/integrate.ts';
export { log, subjectOf, type Commit, type Person } from './commands/log.ts';
export type { ReflogEntry } from './commands/reflog.ts';
export { refNames, shortRefName, type Ref } from './commands/refs.ts';
export { commitHash, isKept, objectHash, shortHead } from './commands/rev-parse.ts';
export { changedPaths, hasStaged, reset, restore } from './commands/staging.ts';
export { dropStash, listStashes, missingStash, saveStash, type Stash } from './commands/stash.ts';
export { status, type Status, type StatusEntry } from './commands/status.ts';
export { ignoredAmong, untrackedAmong } from './commands/tree-paths.ts';
export { worktreeList, worktreePrune, worktreeUnlock, type Worktree } from './commands/worktrees.ts';
export type { CommitPage } from './parse/commit-page-reader.ts';
export type { AnnotatedTag } from './parse/tag-object.ts';
export type { TextPage } from './parse/text-page-reader.ts';

// Queries that run several commands.
export { assertTracked } from './queries/diff-page.ts';
export { completePath, completeRevision } from './queries/completions.ts';
export { readConflictStages } from './queries/conflict-stages.ts';
export { readDiffPage } from './queries/diff-page.ts';
export { hasDisabledFilters, mayHaveFilters } from './queries/disabled-filters.ts';
export { branchOfHead, readHead } from './queries/head.ts';
export {
  isShallow,
  operationIn,
  refuseLeavingOperation,
  type Operation,
} from './queries/in-progress-operation.ts';
export { noCommitsText, readLogPage } from './queries/log-page.ts';
export { withNearestNames } from './queries/nearest-names.ts';
export { lostFiles, type Side } from './queries/lost-files.ts';
export { hasTrackedChanges, overwrittenUntracked } from './queries/untracked-in-the-way.ts';
export { maxBlobBytes, readAtRevision } from './queries/read-at-revision.ts';
export { readReflogPage } from './queries/reflog-page.ts';
export { readRefs, type RefsPage } from './queries/refs-page.ts';
export { remotesOf } from './queries/remotes.ts';
export { renamedFrom, type Origin } from './queries/renamed-from.ts';
export { hasResolutions, resolvedByHand, untouchedConflicts } from './queries/resolved-conflicts.ts';
export { firstCommitPage } from './queries/show-object.ts';
export { showObject, type ShownObject } from './queries/show-object.ts';
export { unfilteredFiles, unfilteredSince, workTreeState } from './queries/unfiltered-files.ts';

// Changes that run several commands.
export { addWorktree } from './actions/worktrees.ts';
export { changeBranch } from './actions/change-branch.ts';
export { checkOut } from './actions/check-out.ts';
export {
  deleteAll,
  maxDeleted,
  mergedBranches,
  namedBranches,
  refuseRemoteBranches,
  type DeletableBranch,
} from './actions/delete-branches.ts';
export {
  deleteRemoteBranch,
  fetchFrom,
  pullFrom,
  pushTo,
  remoteBranch,
  type PushRequest,
} from './actions/fetch-pull-push.ts';
export { cloneRepository, initRepository } from './actions/init-and-clone.ts';
export { makeCommit } from './actions/make-commit.ts';
export { describeInterruption } from './actions/interrupted-operation.ts';
export { detachedCommit, leftCommit } from './actions/check-out.ts';
export {
  operationTo,
  resumeIntegration,
  startIntegration,
  type IntegrationResult,
} from './actions/merge-and-rebase.ts';
export { removableWorktree, removeWorktree } from './actions/worktrees.ts';
export { resetKeeping } from './actions/check-out.ts';
export { restoreStagedBlob } from './actions/restore-staged-blob.ts';
export { stageFiles } from './actions/stage-files.ts';
export { stageLines } from './actions/stage-lines.ts';
export { applyStashAnyway, restoreDroppedStash, stashChanges } from './actions/stash.ts';
export { takeSide } from './actions/resolve-conflicts.ts';
export { untrack, type Untracked } from './actions/untrack.ts';

// Escape names and texts of untrusted repositories, so that they are safe to show.
export { escapeName, escapeText, listedPath, quoted, shortList } from './safe-text.ts';

// Errors.
export {
  GitError,
  type Lifted,
  missingError,
  noRepositoryAllowedError,
  noSuch,
  NotFoundError,
} from './errors.ts';
export { missing, type Missing } from './missing.ts';

// Answers as text.
export { blameText } from './text/blame-text.ts';
export { commitLine, commitText, originLine, reflogLine, tagText } from './text/commit-text.ts';
export { countedList, countText, endOfPage, pageText } from './text/count-text.ts';
export { filtersNote, unfilteredNote } from './text/filters-note.ts';
export { maxRefs, refLine, refsText } from './text/refs-text.ts';
export { commitPageText, directoryText, shownObjectText } from './text/shown-object-text.ts';
export { deletedBranchesText, remotesText, shownUrl, stashLine, worktreeLine } from './text/list-lines.ts';
export { dropAnswer, popAnswer, stashOutcomes } from './text/stash-answers.ts';
export { stateText } from './text/state-text.ts';
export { entriesPerPage, statusText } from './text/status-text.ts';
