import type { Command } from '../command.ts';
import { quoted } from '../safe-text.ts';
import type { CommitPage } from './commit-page-reader.ts';
import type { PageStart, TextPage } from './text-page-reader.ts';

/** With its count and its cursor, a page stays below the maximum of an answer. */
const pageBytes = 36 * 1024;

type Printing = Pick<Command<unknown>, 'args' | 'accept' | 'refusals' | 'input'>;

// The readers are imported when a page is read, because they need node:crypto.

/** Turns a command that prints text into one that returns a page of it. At most one page is in memory. */
export function paged(command: Printing, cursor?: string): Command<TextPage> {
  const start = parseCursor(cursor);
  if (start.part === 'files' && cursor !== undefined) throw invalidCursor(cursor);
  return {
    ...command,
    reader: async () => new (await import('./text-page-reader.ts')).TextPageReader(start, pageBytes),
  };
}

/** Like `paged`, for a command that prints `--numstat -z`, and perhaps a patch. */
export function pagedDiff(command: Printing, cursor?: string): Command<TextPage> {
  const start = parseCursor(cursor);
  return {
    ...command,
    reader: async () => new (await import('./diff-page-reader.ts')).DiffPageReader(start, pageBytes),
  };
}

/**
 * Like `pagedDiff`, for a command that prints the fields of a commit first; the result is undefined if the
 * output is not that of a commit.
 */
export function pagedCommit(command: Printing, cursor?: string): Command<CommitPage | undefined> {
  const start = parseCursor(cursor);
  return {
    ...command,
    reader: async () => new (await import('./commit-page-reader.ts')).CommitPageReader(start, pageBytes),
  };
}

function parseCursor(cursor: string | undefined): PageStart {
  if (cursor === undefined) return { part: 'files', offset: 0, digest: '' };
  const [, files, offset, digest] = /^(f?)(\d{1,15})\.([\w-]{10})$/.exec(cursor) ?? [];
  if (!digest) throw invalidCursor(cursor);
  return { part: files ? 'files' : 'text', offset: Number(offset), digest };
}

function invalidCursor(cursor = ''): Error {
  return new Error(`Invalid cursor: ${quoted(cursor)}; expected the cursor of the previous page`);
}
