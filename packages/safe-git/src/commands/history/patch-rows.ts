import { argv } from '../../argv.ts';
import type { Command } from '../../command.ts';
import { PatchRowReader, type PatchRows, type PatchRowsPage } from '../../parse/patch-row-reader.ts';
import { diffOptions, type DiffOptions } from './diff.ts';

/** What is compared: as for a diff, or a commit with its first parent. */
export type Compared = DiffOptions['of'] | { readonly commit: string };

export interface PatchRowsOptions extends PatchRowsPage {
  readonly of: Compared;
  /** The path of the file, and its former one. */
  readonly paths: readonly string[];
  readonly contextLines?: number | undefined;
}

/** Reads a part of the rows of the patch of one file. */
export function patchRows({ of, paths, contextLines = 3, ...page }: PatchRowsOptions): Command<PatchRows> {
  const patch = argv`${diffOptions} --patch --full-index --unified=${contextLines}`;
  const isCommit = typeof of === 'object' && 'commit' in of;
  const target = typeof of === 'object' && !isCommit ? ['--end-of-options', of.target] : [];
  const args = isCommit
    ? argv`show --format= --diff-merges=first-parent ${patch} --end-of-options ${of.commit} -- ${paths}`
    : argv`diff ${patch} ${of === 'staged' && '--cached'} ${target} -- ${paths}`;
  return { args, reader: () => new PatchRowReader(page) };
}
