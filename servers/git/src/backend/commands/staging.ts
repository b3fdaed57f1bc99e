import type { Command } from '../command.ts';
import { nothing } from '../command.ts';
import { quoted } from '../display-name.ts';

/** Puts files into the index as they are in the work tree, also where that is gone; or only says whether that works. */
export function add(paths: readonly string[], { dryRun = false } = {}): Command<void> {
  return {
    kind: 'write',
    args: ['add', ...(dryRun ? ['--dry-run'] : []), '--', ...paths],
    refusals: [
      [/pathspec '(.*)' did not match/, ([, path = '']) => `No such file: ${quoted(path)}`],
      [/'(.*)' is beyond a symbolic link/, ([, path = '']) => `Beyond a symbolic link: ${quoted(path)}`],
      [/paths are ignored by one of your/, 'Ignored by .gitignore, so it is not added'],
    ],
    parse: nothing,
  };
}

/** Whether there are submodules among the tracked files of some paths. */
export function hasSubmodules(paths: readonly string[]): Command<boolean> {
  return {
    args: ['ls-files', '--stage', '-z', '--', ...paths],
    reader: () => {
      let found = false;
      let tail = '';
      return {
        take(chunk) {
          const text = tail + chunk.toString('latin1');
          found ||= /(^|\0)160000 /.test(text);
          tail = text.slice(-8);
          return !found;
        },
        result: () => found,
      };
    },
  };
}

/** Puts files into the index by their exact names; of a submodule its HEAD, which nobody is asked about. */
export function updateIndex(paths: readonly string[]): Command<void> {
  return {
    kind: 'write',
    args: ['update-index', '--add', '--remove', '-z', '--stdin'],
    input: paths.map((path) => `${path}\0`).join(''),
    parse: nothing,
  };
}

export type ResetMode = 'mixed' | 'soft' | 'hard';

/** Sets the index, and with `hard` the work tree, back to a commit. */
export function reset(mode: ResetMode, revision?: string): Command<void> {
  return {
    kind: 'write',
    args: ['reset', `--${mode}`, '--quiet', ...(revision === undefined ? [] : [revision]), '--'],
    parse: nothing,
  };
}

export interface RestoreOptions {
  readonly paths: readonly string[];
  /** The index rather than the work tree. */
  readonly staged: boolean;
  readonly source?: string | undefined;
}

/** Gives paths back the content they had. */
export function restore({ paths, staged, source }: RestoreOptions): Command<void> {
  return {
    kind: 'write',
    args: [
      'restore',
      staged ? '--staged' : '--worktree',
      ...(source === undefined ? [] : [`--source=${source}`]),
      '--no-recurse-submodules',
      '--',
      ...paths,
    ],
    refusals: [
      [/pathspec '(.*)' did not match/, ([, path = '']) => `Not a file that git knows: ${quoted(path)}`],
    ],
    parse: nothing,
  };
}
