import { argv } from '../../argv.ts';
import type { Command, OutputReader, Refusal } from '../../command.ts';
import { quoted } from '../../safe-text.ts';
import { diffOptions } from '../history/diff.ts';
import { missing, type Missing } from '../../missing.ts';
import { pathList } from '../../parse/nul-records.ts';
import { afterNuls, recordReader } from '../../parse/record-reader.ts';

const outsideSparse: Refusal = [
  /outside of your sparse-checkout definition/,
  'Outside the sparse checkout, or marked to be skipped, so nothing was changed',
];

/** Stages files, including deleted ones; with `dryRun`, only checks whether git can stage them. */
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

/** The missing file that git names in its message `pathspec '…' did not match`. */
export function notTracked([, path = '']: RegExpExecArray): Missing {
  return missing('file', path, { message: `Not a tracked file: ${quoted(path)}` });
}

/** Whether the index has a file at a path, or below it. */
export function isTracked(path: string): Command<boolean> {
  return { args: argv`ls-files --cached -z -- ${path}`, reader: anyOutput };
}

/** The paths in the index. */
export const trackedFiles = pathList(argv`ls-files --cached -z --deduplicate`);

/** Reads whether git prints anything; stops git at its first output. */
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
        // The mode of a submodule is 160000; no other begins with 16.
        add: (record) => !(found ||= record[0] === 0x31 && record[1] === 0x36),
        result: () => found,
      });
    },
  };
}

/** Stages files by exact path; of a submodule, stages its HEAD without running git inside it. */
export function updateIndex(paths: readonly string[]): Command<void> {
  return {
    kind: 'write',
    args: argv`update-index --add --remove -z --stdin`,
    input: paths.map((path) => `${path}\0`).join(''),
  };
}

/** Restores the index and the work tree at these paths from a commit; removes paths it does not have. */
export function restoreExactly(commit: string, paths: readonly string[]): Command<void> {
  return {
    kind: 'write',
    args: argv`restore --source=${commit} --staged --worktree --no-recurse-submodules --pathspec-from-file=-
      --pathspec-file-nul`,
    input: paths.map((path) => `${path}\0`).join(''),
  };
}

/** The error message for a file whose staged content would be lost, since it is nowhere else. */
export function onlyStaged(path: string): string {
  return `What is staged is neither in HEAD nor in the file, and would be lost: ${quoted(path)}; commit or unstage it first`;
}

/** Removes files from the index, and unless `keepFiles` from the work tree. */
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

/** Whether something is staged; always true before the first commit, without a HEAD to compare with. */
export const hasStaged: Command<boolean> = {
  args: argv`diff-index --cached --quiet --ignore-submodules=dirty HEAD --`,
  accept: [1, 128],
  parse: ({ code }) => code !== 0,
};

/** The tracked files at these paths. */
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

/** The files at these paths that a restore from a revision changes; by default, from the index or HEAD. */
export function differingPaths({ paths, staged, source }: RestoreOptions): Command<string[]> {
  return pathList(
    argv`diff ${diffOptions} --name-only -z --no-renames ${staged && '--cached'} --end-of-options ${source} -- ${paths}`,
  );
}

export type ResetMode = 'mixed' | 'soft' | 'hard';

/**
 * Moves HEAD to a commit, by default its own; resets the index to it unless the mode is `soft`, and the work
 * tree if it is `hard`.
 */
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

/** Restores paths from a revision; by default from the index or, with `staged`, from HEAD. */
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

/** Writes one side of files in conflict to the work tree or, for `merge`, the files with conflict markers. */
export function checkoutSide(side: 'ours' | 'theirs' | 'merge', paths: readonly string[]): Command<void> {
  return {
    kind: 'write',
    args: argv`checkout --quiet --no-recurse-submodules --${side} -- ${paths}`,
    refusals: [[/pathspec '(.*)' did not match/, notTracked]],
  };
}
