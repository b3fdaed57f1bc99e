import type { Command } from '../command.ts';
import { paged, type Page } from './text-page.ts';

/** What every command that prints a diff is told: text only, no program of anybody's, no surprises. */
export const diffOptions = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--ignore-submodules=dirty',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--find-renames',
] as const;

export interface DiffOptions {
  /** What to compare: the work tree with the index, the index with HEAD, or the work tree with a revision or range. */
  readonly of: 'unstaged' | 'staged' | { readonly target: string };
  readonly contextLines?: number;
  readonly paths?: readonly string[];
}

export function diffArgs({ of, contextLines = 3, paths = [] }: DiffOptions): string[] {
  return [
    'diff',
    ...diffOptions,
    `--unified=${contextLines}`,
    '--numstat',
    '--patch',
    ...(of === 'staged' ? ['--cached'] : []),
    ...(typeof of === 'object' ? ['--end-of-options', of.target] : []),
    '--',
    ...paths,
  ];
}

/** A diff page by page: first how many lines each file gained and lost, then the hunks. */
export function diff(options: DiffOptions, cursor?: string): Command<Page> {
  return paged({ args: diffArgs(options) }, cursor);
}
