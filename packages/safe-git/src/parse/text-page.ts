import type { Command } from '../command.ts';
import { quoted } from '../safe-text.ts';
import type { CommitPage } from './commit-page-reader.ts';
import type { PageStart, TextPage } from './text-page-reader.ts';

/** The size of a page, which leaves room for a count and a cursor within the maximum size of an answer. */
const pageBytes = 36 * 1024;

type Printing = Pick<Command<unknown>, 'args' | 'accept' | 'refusals' | 'input'>;

// The readers are imported only when a page is read, because they load node:crypto, which takes time.

/**
 * Turns a command that prints text into one that returns, and holds in memory, only a page. With `asJson`,
 * the page has half the size, because escapes in JSON can double the length of its text.
 */
export function paged(command: Printing, cursor?: string, asJson = false): Command<TextPage> {
  const start = parseCursor(cursor);
  if (start.part === 'files' && cursor !== undefined) throw invalidCursor(cursor);
  const size = asJson ? pageBytes / 2 : pageBytes;
  return {
    ...command,
    reader: async () => new (await import('./text-page-reader.ts')).TextPageReader(start, size),
  };
}

/** Like `paged`, for a command that prints `--numstat -z` and then possibly a patch. */
export function pagedDiff(command: Printing, cursor?: string, rows = false): Command<TextPage> {
  const start = parseCursor(cursor);
  return {
    ...command,
    reader: async () =>
      new (await import('./diff-page-reader.ts')).DiffPageReader(start, pageBytes, { rows }),
  };
}

/**
 * Like `pagedDiff`, for output in which the fields of a commit precede the diff. The result is undefined if
 * git printed an object of another type.
 */
export function pagedCommit(
  command: Printing,
  cursor?: string,
  rows = false,
): Command<CommitPage | undefined> {
  const start = parseCursor(cursor);
  return {
    ...command,
    reader: async () =>
      new (await import('./commit-page-reader.ts')).CommitPageReader(start, pageBytes, rows),
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
