// The class for all repositories in the allowed directories, and the class for one repository.
export { Repositories, type RepositoriesOptions } from './repositories.ts';
export type { CallOptions, Repository } from './repository.ts';
export { AllowedDirectories } from './access/allowed-directories.ts';
export type { Timeouts } from './trust/git-context.ts';
export type { Setting } from './trust/git-config.ts';
export type { Aspect } from './watch/watched-aspect.ts';
export type { Progress } from './process/progress.ts';

// Checks of arguments: paths, URLs, revisions, dates, ranges of lines.
export { newDirectory } from './access/new-directory.ts';
export { pathInRevision, workTreePath, workTreePaths } from './access/work-tree-path.ts';
export { parseRemoteUrl } from './access/remote-url.ts';
export { repositoriesInside } from './access/repositories-inside.ts';
export { SymlinkedPaths } from './access/symlinked-paths.ts';
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

// Git commands as data: arguments and a parser, which `Repository` runs.
export type { Command, CommandOutput, OutputReader } from './command.ts';
export { blame, type BlameHunk } from './commands/history/blame.ts';
export { branchExists, checkout, createTag, deleteTag, tagTarget } from './commands/refs/branches.ts';
export type { TreeEntry } from './commands/objects/cat-file.ts';
export { changeRemote, type RemoteChange } from './commands/refs/change-remote.ts';
export { commit, messageOf } from './commands/work-tree/commit.ts';
export { conflictedPaths } from './commands/work-tree/index-entries.ts';
export { type CommitSize, diff, type DiffOptions } from './commands/history/diff.ts';
export { grep } from './commands/history/grep.ts';
export type { Integration } from './commands/work-tree/integrate.ts';
export { log, subjectOf, type Commit, type Person } from './commands/history/log.ts';
export type { Compared, PatchRowsOptions } from './commands/history/patch-rows.ts';
export type { RangeDiffOptions } from './commands/history/range-diff.ts';
export type { ReflogEntry } from './commands/history/reflog.ts';
export { refNames, shortRefName, type Ref } from './commands/refs/refs.ts';
export { commitHash, isKept, objectHash, shortHead } from './commands/objects/rev-parse.ts';
export { changedPaths, differingPaths, hasStaged, reset, restore } from './commands/work-tree/staging.ts';
export {
  dropStash,
  listStashes,
  missingStash,
  nameOf as nameOfStash,
  saveStash,
  type Stash,
} from './commands/work-tree/stash.ts';
export { status, type Status, type StatusEntry } from './commands/work-tree/status.ts';
export { ignoredAmong, untrackedAmong } from './commands/objects/tree-paths.ts';
export {
  worktreeList,
  worktreePrune,
  worktreeUnlock,
  type Worktree,
} from './commands/work-tree/worktrees.ts';
export type { CommitPage } from './parse/commit-page-reader.ts';
export type { PatchRow, PatchRows, PatchRowsPage } from './parse/patch-row-reader.ts';
export type { AnnotatedTag } from './parse/tag-object.ts';
export type { ChangedFile, TextPage } from './parse/text-page-reader.ts';

// Functions that read, each by several git commands.
export { readAuthors, type Author, type AuthorsOptions } from './queries/history/authors.ts';
export { readBlame } from './queries/history/blamed-lines.ts';
export { type ChangedFilesPage, readChangedFiles, readPatchRows } from './queries/history/changed-files.ts';
export { completePath, completeRevision } from './queries/names/completions.ts';
export { readConflictStages } from './queries/operation/conflict-stages.ts';
export { assertTracked, readDiffPage } from './queries/history/diff-page.ts';
export { hasDisabledFilters, mayHaveFilters } from './queries/files/disabled-filters.ts';
export {
  type JudgedCommit,
  readLog as readBisectLog,
  readVerdicts,
} from './queries/operation/bisect-state.ts';
export { branchOfHead, readHead } from './queries/operation/head.ts';
export {
  isShallow,
  operationIn,
  refuseLeavingOperation,
  type Operation,
} from './queries/operation/in-progress-operation.ts';
export { noCommitsText, readLogPage, withPatches } from './queries/history/log-page.ts';
export { withNearestNames } from './queries/names/nearest-names.ts';
export { allWork, discardedByReset, onlyStagedPaths, resolvedFiles } from './queries/files/discarded-work.ts';
export { lostFiles, type Side } from './queries/files/lost-files.ts';
export { unseenChanges } from './queries/files/unseen-changes.ts';
export { hasTrackedChanges, overwrittenUntracked } from './queries/files/untracked-in-the-way.ts';
export { maxBlobBytes, readAtRevision } from './queries/history/read-at-revision.ts';
export { readReflogPage } from './queries/history/reflog-page.ts';
export { readRangeDiff } from './queries/history/range-diff.ts';
export { readRefs, type RefsPage } from './queries/history/refs-page.ts';
export { remotesOf } from './queries/names/remotes.ts';
export { formerPaths, renamedFrom, type Origin } from './queries/history/renamed-from.ts';
export { hasResolutions } from './queries/operation/resolved-conflicts.ts';
export { firstCommitPage, showObject, type ShownObject } from './queries/history/show-object.ts';
export { unfilteredFiles, unfilteredSince, workTreeState } from './queries/files/unfiltered-files.ts';

// Functions that change something, each by several git commands.
export {
  continueBisect,
  judgeCommit,
  resetBisect,
  startBisect,
  startOfBisect,
  type BisectEnd,
  type BisectStart,
  type BisectStep,
  type Verdict,
} from './actions/history/bisect.ts';
export { changeBranch } from './actions/branches/change-branch.ts';
export { checkOut, detachedCommit, leftCommit, resetKeeping } from './actions/branches/check-out.ts';
export {
  deleteAll,
  maxDeleted,
  mergedBranches,
  namedBranches,
  refuseRemoteBranches,
  type DeletableBranch,
} from './actions/branches/delete-branches.ts';
export {
  deleteRemoteBranch,
  fetchFrom,
  pullFrom,
  pushTo,
  remoteBranch,
  type PushRequest,
} from './actions/remotes/fetch-pull-push.ts';
export { cloneRepository, initRepository } from './actions/remotes/init-and-clone.ts';
export {
  readSubmodules,
  updateSubmodule,
  type Submodule,
  type SubmoduleUpdate,
} from './actions/remotes/submodules.ts';
export { makeCommit, type CommitMade } from './actions/commits/make-commit.ts';
export { describeInterruption } from './actions/integration/interrupted-operation.ts';
export {
  operationTo,
  resumeIntegration,
  startIntegration,
  type IntegrationResult,
} from './actions/integration/merge-and-rebase.ts';
export {
  addWorktree,
  moveWorktree,
  removableWorktree,
  type RemovableWorktree,
  removeWorktree,
} from './actions/branches/worktrees.ts';
export { restoreStagedBlob } from './actions/staging/restore-staged-blob.ts';
export { keepBefore, keepObject, reasonNotKept, type DiscardedWork } from './actions/kept/keep-work.ts';
export { listKeptWork, type KeptWork } from './commands/work-tree/kept-work.ts';
export { stageFiles } from './actions/staging/stage-files.ts';
export { type LineSelection, stageLines, unstageLines } from './actions/staging/stage-lines.ts';
export { takeSide } from './actions/integration/resolve-conflicts.ts';
export { untrack, type Untracked } from './actions/staging/untrack.ts';

// Functions that escape names and texts of untrusted repositories, so that these are safe to show.
export { escapeName, escapeText, listedPath, quoted, shortList } from './safe-text.ts';

export {
  GitError,
  type Lifted,
  missingError,
  noRepositoryAllowedError,
  noSuch,
  NotFoundError,
} from './errors.ts';
export { missing, type Missing } from './missing.ts';

// Functions that write answers as text.
export { authorsText, bisectEndText, bisectText } from './text/history-text.ts';
export {
  boundedText,
  fittingJson,
  fittingLines,
  fittingRows,
  fittingText,
  maxAnswer,
} from './text/bounds.ts';
export { blamePage, type BlamePage } from './text/blame-text.ts';
export { commitLine, commitText, formerPathsLine, originLine, reflogLine } from './text/commit-text.ts';
export { countedList, countText, endOfPage, pageText } from './text/count-text.ts';
export { filtersNote, unfilteredNote } from './text/filters-note.ts';
export { maxRefs, refLine, refsText } from './text/refs-text.ts';
export {
  commitPageText,
  directoryText,
  shownObjectText,
  untrackedOfStash,
} from './text/shown-object-text.ts';
export { deletedBranchesText, remotesText, shownUrl, stashLine, worktreeLine } from './text/list-lines.ts';
export { applyAnswer, dropAnswer, popAnswer, saveAgainAnswer, saveAnswer } from './text/stash-answers.ts';
export { submoduleLine, submoduleUpdateLine } from './text/submodule-text.ts';
export { stateText } from './text/state-text.ts';
export { remainingText, shownEntries, stagedText, statusText } from './text/status-text.ts';
export { readWhere } from './text/where-text.ts';
