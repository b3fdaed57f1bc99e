import { withoutStructuredContent } from '@mcp/protocol';
import { withHints } from './input/with-hints.ts';
import { gitAdd } from './tools/git-add.ts';
import { gitBisect } from './tools/git-bisect.ts';
import { gitBlame } from './tools/git-blame.ts';
import { gitBranch } from './tools/git-branch.ts';
import { gitCheckout } from './tools/git-checkout.ts';
import { gitClone } from './tools/git-clone.ts';
import { gitCommit } from './tools/git-commit.ts';
import { gitCreateBranch } from './tools/git-create-branch.ts';
import { gitDeleteBranch } from './tools/git-delete-branch.ts';
import { gitDiff, gitDiffStaged, gitDiffUnstaged } from './tools/git-diff.ts';
import { gitFetch } from './tools/git-fetch.ts';
import { gitGrep } from './tools/git-grep.ts';
import { gitInit } from './tools/git-init.ts';
import { gitIntegrate } from './tools/git-integrate.ts';
import { gitLog } from './tools/git-log.ts';
import { gitPull } from './tools/git-pull.ts';
import { gitPush } from './tools/git-push.ts';
import { gitRangeDiff } from './tools/git-range-diff.ts';
import { gitReadFile } from './tools/git-read-file.ts';
import { gitRemote } from './tools/git-remote.ts';
import { gitReset } from './tools/git-reset.ts';
import { gitRestore } from './tools/git-restore.ts';
import { gitShortlog } from './tools/git-shortlog.ts';
import { gitShow } from './tools/git-show.ts';
import { gitStash } from './tools/git-stash.ts';
import { gitStatus } from './tools/git-status.ts';
import { gitSubmodule } from './tools/git-submodule.ts';
import { gitTag } from './tools/git-tag.ts';
import { gitWorktree } from './tools/git-worktree.ts';
import { readBlamedLines } from './tools/read-blame.ts';
import { readFiles } from './tools/read-files.ts';
import { readHistory } from './tools/read-history.ts';
import { readPatch } from './tools/read-patch.ts';
import { readStatus } from './tools/read-status.ts';
import { unstageLines } from './tools/unstage-lines.ts';

const readingTools = withHints([
  gitStatus,
  gitDiffUnstaged,
  gitDiffStaged,
  gitDiff,
  gitLog,
  gitShow,
  gitBranch,
  gitBlame,
  gitGrep,
  gitReadFile,
]);

const writingTools = withHints([
  gitAdd,
  gitCommit,
  gitReset,
  gitCheckout,
  gitCreateBranch,
  gitDeleteBranch,
  gitRestore,
  gitStash,
  gitTag,
  gitIntegrate,
  gitWorktree,
  gitInit,
]);

/** Tools for further questions about the history, which change nothing; only with `--history`. */
const historyReadingTools = withHints([gitRangeDiff, gitShortlog]);

/** The tools of `--history` that change files; not with `--read-only`. */
const historyWritingTools = withHints([gitBisect, gitSubmodule]);

/** Tools that connect to remotes; only with `--allow-remote`. */
const remoteTools = withHints([gitRemote, gitFetch, gitPull, gitPush, gitClone]);

/** Tools that exist for the view only. */
const viewReadingTools = withHints([readHistory, readStatus, readFiles, readPatch, readBlamedLines]);
const viewWritingTools = withHints([unstageLines]);

interface Published {
  readonly readOnly?: boolean | undefined;
  readonly allowRemote?: boolean | undefined;
  readonly history?: boolean | undefined;
  readonly structured?: boolean | undefined;
}

/** The tools that the options of the operator publish. */
export function toolsFor({ readOnly, allowRemote, history, structured }: Published) {
  const groups = [
    readingTools,
    ...(history ? [historyReadingTools] : []),
    ...(readOnly ? [] : [writingTools]),
    ...(history && !readOnly ? [historyWritingTools] : []),
    ...(allowRemote && !readOnly ? [remoteTools] : []),
    viewReadingTools,
    ...(readOnly ? [] : [viewWritingTools]),
  ];
  return structured ? groups.flat() : groups.flat().map(withoutStructuredContent);
}
