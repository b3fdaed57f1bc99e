import { argv } from '../../argv.ts';
import type { Command, OutputReader, Refusal } from '../../command.ts';
import { quoted } from '../../safe-text.ts';
import { diffOptions } from '../history/diff.ts';
import { missing, type Missing } from '../../missing.ts';
import { pathList } from '../../parse/nul-records.ts';
import { afterNuls, recordReader } from '../../parse/record-reader.ts';

const outsideSparse: Refusal = [
  /outside of your sparse-checkout definition/,
  'Nothing was changed: a path is outside the sparse checkout, or has the skip-worktree flag',
];

/**
 * Stages files; for a missing file, stages its deletion. With `dryRun`, only checks whether git accepts the
 * paths.
 */
export function add(paths: readonly string[], { dryRun = false } = {}): Command<void> {
  return {
    kind: 'write',
    args: argv`add ${dryRun && '--dry-run'} -- ${paths}`,
    refusals: [
      [/pathspec '(.*)' did not match/, ([, path = '']) => missing('file', path)],
      [
        /'(.*)' is beyond a symbolic link/,
        ([, path = '']) => `The path leads through a symbolic link: ${quoted(path)}`,
      ],
      [
        /paths are ignored by one of your .*:\n(.*)/,
        ([, path = '']) => `Ignored by .gitignore, so nothing was staged: ${quoted(path)}`,
      ],
      outsideSparse,
    ],
  };
}

/** Describes the missing file that git names in its message `pathspec '…' did not match`. */
export function notTracked([, path = '']: RegExpExecArray): Missing {
  return missing('file', path, { message: `Not a tracked file: ${quoted(path)}` });
}

export function isTracked(path: string): Command<boolean> {
  return { args: argv`ls-files --cached -z -- ${path}`, reader: anyOutput };
}

export const trackedFiles = pathList(argv`ls-files --cached -z --deduplicate`);

/** Returns a reader that tells whether git prints anything, and stops git at its first output. */
function anyOutput(): OutputReader<boolean> {
  let found = false;
  return {
    push(chunk) {
      found ||= chunk.length > 0;
      return !found;
    },
    result: () => found,
  };
}

/** Whether there are untracked files that .gitignore excludes. */
export const hasIgnoredFiles: Command<boolean> = {
  args: argv`ls-files --others --ignored --exclude-standard --directory -z`,
  reader: anyOutput,
};

/** Whether any tracked file at these paths is a submodule. */
export function hasSubmodules(paths: readonly string[]): Command<boolean> {
  return {
    args: argv`ls-files --stage -z -- ${paths}`,
    reader: () => {
      let found = false;
      return recordReader({
        endOf: (bytes, start) => afterNuls(bytes, start, 1),
        // A record starts with the mode. No other mode than that of a submodule, 160000, begins with 16.
        add: (record) => !(found ||= record[0] === 0x31 && record[1] === 0x36),
        result: () => found,
      });
    },
  };
}

/** Stages files by exact path. For a submodule, stages its HEAD without running git in the submodule. */
export function updateIndex(paths: readonly string[]): Command<void> {
  return {
    kind: 'write',
    args: argv`update-index --add --remove -z --stdin`,
    input: paths.map((path) => `${path}\0`).join(''),
  };
}

/** Restores the index and the work tree at these paths from a commit. Paths not in the commit are removed. */
export function restoreExactly(commit: string, paths: readonly string[]): Command<void> {
  return {
    kind: 'write',
    args: argv`restore --source=${commit} --staged --worktree --no-recurse-submodules --pathspec-from-file=-
      --pathspec-file-nul`,
    input: paths.map((path) => `${path}\0`).join(''),
  };
}

/** The error message for a file whose staged content would be lost, because it exists only in the index. */
export function onlyStaged(path: string): string {
  return `What is staged is neither in HEAD nor in the file, and would be lost: ${quoted(path)}; commit or unstage it first`;
}

/** Removes files from the index and, unless `keepFiles` is true, from the work tree. */
export function removeFromIndex(
  paths: readonly string[],
  { keepFiles }: { readonly keepFiles: boolean },
): Command<void> {
  return {
    kind: 'write',
    args: argv`rm -r --quiet ${keepFiles && '--cached'} -- ${paths}`,
    refusals: [
      [/pathspec '(.*)' did not match/, notTracked],
      [
        /staged content different from both the\s*file and the HEAD:\s*(.*)/,
        ([, path = '']) => onlyStaged(path),
      ],
      outsideSparse,
    ],
  };
}

/** Sets the staged content of a tracked file to a blob, and keeps its mode. */
export function stageBlob(path: string, mode: string, blob: string): Command<void> {
  return { kind: 'write', args: argv`update-index -z --index-info`, input: `${mode} ${blob}\t${path}\0` };
}

/** Whether something is staged. Before the first commit, there is no HEAD to compare with, so always true. */
export const hasStaged: Command<boolean> = {
  args: argv`diff-index --cached --quiet --ignore-submodules=dirty HEAD --`,
  accept: [1, 128],
  parse: ({ code }) => code !== 0,
};

export function trackedPaths(paths: readonly string[]): Command<string[]> {
  return pathList(argv`ls-files --cached --deduplicate -z -- ${paths}`);
}

/** Tracked files that .gitignore excludes. */
export function ignoredTracked(paths: readonly string[]): Command<string[]> {
  return pathList(argv`ls-files --cached --ignored --exclude-standard -z -- ${paths}`);
}

/** The tracked files that differ from the index; with `untracked`, also the untracked files. */
export function changedPaths(paths: readonly string[], untracked: boolean): Command<string[]> {
  return pathList(argv`ls-files --modified ${untracked && '--others'} --deduplicate -z -- ${paths}`);
}

/** The files that a restore from `source` would change; by default from the index or, if `staged`, HEAD. */
export function differingPaths({ paths, staged, source }: RestoreOptions): Command<string[]> {
  return pathList(
    argv`diff ${diffOptions} --name-only -z --no-renames ${staged && '--cached'} --end-of-options ${source} -- ${paths}`,
  );
}

export type ResetMode = 'mixed' | 'soft' | 'hard';

/** Moves HEAD to a commit. `soft` does only that; other modes reset the index, `hard` also the work tree. */
export function reset(mode: ResetMode, revision?: string): Command<void> {
  return {
    kind: 'write',
    args: argv`reset --${mode} --quiet ${revision} --`,
  };
}

export interface RestoreOptions {
  readonly paths: readonly string[];
  /** Whether the index is restored instead of the work tree. */
  readonly staged: boolean;
  readonly source?: string | undefined;
}

/** Restores paths from `source`, by default from the index or, with `staged`, from HEAD. */
export function restore({ paths, staged, source }: RestoreOptions): Command<void> {
  return {
    kind: 'write',
    args: argv`restore ${staged ? '--staged' : '--worktree'} --source=${source} --no-recurse-submodules -- ${paths}`,
    refusals: [
      [/pathspec '(.*)' did not match/, notTracked],
      [/could not resolve /, missing('revision', source ?? 'HEAD')],
    ],
  };
}

/** Writes one side of the files in conflict to the work tree; `merge` writes them with conflict markers. */
export function checkoutSide(side: 'ours' | 'theirs' | 'merge', paths: readonly string[]): Command<void> {
  return {
    kind: 'write',
    args: argv`checkout --quiet --no-recurse-submodules --${side} -- ${paths}`,
    refusals: [[/pathspec '(.*)' did not match/, notTracked]],
  };
}
