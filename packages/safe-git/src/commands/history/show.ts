import { argv } from '../../argv.ts';
import type { Command } from '../../command.ts';
import { commitFields } from '../../parse/nul-records.ts';
import type { CommitPage } from '../../parse/commit-page-reader.ts';
import { diffOptions } from './diff.ts';
import { commitFormat } from './log.ts';
import type { TextPage } from '../../parse/text-page-reader.ts';
import { paged, pagedCommit } from '../../parse/text-page.ts';

export interface ShowOptions {
  readonly cursor?: string | undefined;
  readonly stat?: boolean;
  readonly paths?: readonly string[];
  /** Whether the page is also for structured content, with the changed files as objects. */
  readonly rows?: boolean;
}

/** Reads a commit with a page of its diff to its first parent. The result is undefined for other objects. */
export function showCommit(
  name: string,
  { cursor, stat, paths = [], rows }: ShowOptions = {},
): Command<CommitPage | undefined> {
  const patch = stat ? [] : ['--patch', '--unified=3'];
  const args = argv`show ${commitFields(commitFormat)} --diff-merges=first-parent ${diffOptions} --numstat
    ${patch} --end-of-options ${name} -- ${paths}`;
  return pagedCommit({ args }, cursor, rows);
}

/** Reads a page of a file in a revision; `name` is `revision:path`. */
export function showFile(name: string, { cursor, rows }: ShowOptions = {}): Command<TextPage> {
  return paged({ args: argv`show --no-textconv --end-of-options ${name} --` }, cursor, rows);
}
