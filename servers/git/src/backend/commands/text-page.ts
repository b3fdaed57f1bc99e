import type { Command } from '../command.ts';
import { quoted } from '../display-name.ts';

/** A stretch of a long text, and how to go on. */
export interface Page {
  readonly text: string;
  readonly nextCursor?: string;
  /** Of a diff, the file that the page begins in the middle of. */
  readonly within?: string;
}

/** Bytes in one page of text. */
const pageBytes = 48 * 1024;

/** Turns a command that prints text into one that gives a page of it. Never more than the page is held in memory. */
export function paged(
  command: Pick<Command<unknown>, 'args' | 'accept' | 'refusals' | 'input'>,
  cursor?: string,
  size = pageBytes,
): Command<Page> {
  const start = parseCursor(cursor);
  return {
    ...command,
    // Loaded with the first page: hashing is not needed before.
    reader: async () => new (await import('./text-page-reader.ts')).PageReader(start, size),
  };
}

/** Where a page begins, and what came before it. */
export interface PageStart {
  /** Bytes before it. */
  readonly offset: number;
  readonly digest: string;
}

function parseCursor(cursor: string | undefined): PageStart {
  if (cursor === undefined) return { offset: 0, digest: '' };
  const [, offset, digest] = /^(\d{1,15})\.([\w-]{10})$/.exec(cursor) ?? [];
  if (!digest) throw new Error(`Not a cursor: ${quoted(cursor)}; accepted is the cursor of the page before`);
  return { offset: Number(offset), digest };
}
