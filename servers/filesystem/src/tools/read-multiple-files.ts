import { defineTool, textContent, type TextContent } from '@mcp/protocol';
import * as z from 'zod';
import type { Filesystem } from '../context.ts';
import { globInPath, selectPaths, severalPaths } from '../input/select-paths.ts';
import { counted } from '../text/counted.ts';

const maxBytes = 1024 * 1024;
const lines = z.int().min(1).optional();

export const readMultipleFiles = defineTool({
  name: 'read_multiple_files',
  title: 'Read multiple files',
  description:
    'Reads several text files, or the same part of each; an error in one does not affect the others.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object({
    paths: severalPaths,
    path: z.string().optional(),
    glob: globInPath.describe('All files in path that match'),
    head: lines.describe('Lines from the start'),
    tail: lines.describe('Lines from the end'),
    offset: lines.describe('First line'),
    limit: lines.describe('Lines from there'),
    hash: z.boolean().optional(),
  }),

  async run({ path, paths, glob, ...part }, context: Filesystem, call) {
    const { head, tail, offset, limit } = part;
    if ([head, tail, offset ?? limit].filter((each) => each !== undefined).length > 1)
      throw new Error('Give only one of head, tail, and offset with limit');
    const { signal, progress } = call;
    const selected = await selectPaths({ path, paths, glob }, context, call, { kinds: ['file'] });
    const blocks: TextContent[] = [];
    let room = maxBytes;
    for (const each of selected.paths) {
      signal.throwIfAborted();
      const { text, hash } = await readOne(each, room, { ...part, signal }, context.sandbox);
      room -= Buffer.byteLength(text);
      const heading = `${JSON.stringify(each)}${hash === undefined ? '' : ` (SHA-256 ${hash})`}`;
      blocks.push(textContent(`${heading}:\n${text}`));
      progress(blocks.length, selected.paths.length);
    }
    // The caller does not know how many files match.
    return glob === undefined ? blocks : [...blocks, textContent(counted(blocks.length, 'file'))];
  },
});

interface Part {
  readonly head?: number | undefined;
  readonly tail?: number | undefined;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
  readonly hash?: boolean | undefined;
  readonly signal: AbortSignal;
}

interface Shown {
  readonly text: string;
  readonly hash?: string | undefined;
}

async function readOne(
  path: string,
  room: number,
  { head, tail, offset, limit, hash, signal }: Part,
  sandbox: Filesystem['sandbox'],
): Promise<Shown> {
  if (room <= 0) return { text: 'Not read: the previous files fill the answer (1 MiB); read it separately' };
  try {
    if (offset !== undefined || limit !== undefined) {
      const read = await sandbox.readLines(path, { offset, limit, maxBytes: room, hash, signal });
      const { lines: found, next } = read;
      const isCut = next !== undefined && found.length < (limit ?? Infinity);
      const note = isCut ? `\n… cut off; continue with offset ${next}` : '';
      return { text: found.join('\n') + note, hash: read.hash };
    }
    const read = await sandbox.readText(path, { head, tail, maxBytes: room, hash, signal });
    const note = read.truncated ? `\n… cut off: the file has ${read.size} bytes` : '';
    return { text: read.text + note, hash: read.hash };
  } catch (error) {
    signal.throwIfAborted();
    return { text: `Error: ${error instanceof Error ? error.message : String(error)}` };
  }
}
