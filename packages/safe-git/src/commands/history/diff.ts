import { argv } from '../../argv.ts';
import type { Command } from '../../command.ts';
import type { TextPage } from '../../parse/text-page-reader.ts';
import { rows } from '../../parse/nul-records.ts';
import { pagedDiff } from '../../parse/text-page.ts';

/** The options of every command that prints a diff: no external programs, and one format for the parser. */
export const diffOptions = argv`--no-ext-diff --no-textconv --no-color --ignore-submodules=dirty
  --src-prefix=a/ --dst-prefix=b/ --find-renames`;

export interface DiffOptions {
  /**
   * `unstaged` compares the files with the index, `staged` the index with HEAD. `target` is a revision, with
   * which the files are compared, or a range, whose ends are compared.
   */
  readonly of: 'unstaged' | 'staged' | { readonly target: string };
  readonly contextLines?: number;
  readonly paths?: readonly string[] | undefined;
  readonly stat?: boolean;
  /** Whether the page has the changed files also as objects, for structured content. */
  readonly rows?: boolean;
}

export function diffArgs({ of, contextLines = 3, paths = [], stat }: DiffOptions): string[] {
  const patch = stat ? [] : ['--patch', `--unified=${contextLines}`];
  const target = typeof of === 'object' ? ['--end-of-options', of.target] : [];
  return argv`diff ${diffOptions} --numstat -z ${patch} ${of === 'staged' && '--cached'} ${target} -- ${paths}`;
}

/** Reads a page of a diff. The diff starts with the numbers of added and deleted lines of each file. */
export function diff(options: DiffOptions, cursor?: string): Command<TextPage> {
  return pagedDiff({ args: diffArgs(options) }, cursor, options.rows);
}

/** How much a commit changes, compared with its first parent. */
export interface CommitSize {
  readonly files: number;
  readonly added: number;
  readonly deleted: number;
}

export function sizeOfCommit(commit: string): Command<CommitSize> {
  return {
    args: argv`show --format= --diff-merges=first-parent ${diffOptions} --shortstat --end-of-options ${commit} --`,
    parse: ({ stdout }) => {
      const text = stdout.toString('latin1');
      const count = (pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0);
      return {
        files: count(/(\d+) files? changed/),
        added: count(/(\d+) insertion/),
        deleted: count(/(\d+) deletion/),
      };
    },
  };
}

/** The files that a commit has renamed, compared with its first parent. */
export function renames(commit: string): Command<{ readonly from: string; readonly to: string }[]> {
  return {
    args: argv`show --format= --diff-merges=first-parent ${diffOptions} --name-status --diff-filter=R -z
      --end-of-options ${commit} --`,
    maxBytes: 256 * 1024 * 1024,
    parse: ({ stdout }) => rows(stdout, 3).map(([, from = '', to = '']) => ({ from, to })),
  };
}
