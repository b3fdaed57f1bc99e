import type { Command } from '../command.ts';
import { quoted } from '../display-name.ts';
import type { PageStart, TextPage } from './text-page-reader.ts';

const pageBytes = 48 * 1024;

/**
 * Turns a command that prints text into one that returns a page of it. At most one page is held in memory.
 */
export function paged(
  command: Pick<Command<unknown>, 'args' | 'accept' | 'refusals' | 'input'>,
  cursor?: string,
  size = pageBytes,
): Command<TextPage> {
  const start = parseCursor(cursor);
  return {
    ...command,
    // Loaded with the first page, since it needs node:crypto.
    reader: async () => new (await import('./text-page-reader.ts')).TextPageReader(start, size),
  };
}

function parseCursor(cursor: string | undefined): PageStart {
  if (cursor === undefined) return { offset: 0, digest: '' };
  const [, offset, digest] = /^(\d{1,15})\.([\w-]{10})$/.exec(cursor) ?? [];
  if (!digest) throw new Error(`Invalid cursor: ${quoted(cursor)}; expected the cursor of the previous page`);
  return { offset: Number(offset), digest };
}
