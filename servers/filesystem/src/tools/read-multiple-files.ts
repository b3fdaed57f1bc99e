import { defineTool, textContent, type TextContent } from '@mcp/protocol';
import * as z from 'zod';
import type { Filesystem } from '../context.ts';
import { globInPath, selectPaths, severalPaths } from '../input/select-paths.ts';

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
    glob: globInPath.describe('All files that match in the directory path'),
    head: lines.describe('Lines from the start'),
    tail: lines.describe('Lines from the end'),
    offset: lines.describe('First line'),
    limit: lines.describe('Lines from there'),
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
      const read = await readOne(each, room, part, context.sandbox);
      room -= Buffer.byteLength(read);
      blocks.push(textContent(`${JSON.stringify(each)}:\n${read}`));
      progress(blocks.length, selected.paths.length);
    }
    return blocks;
  },
});

interface Part {
  readonly head?: number | undefined;
  readonly tail?: number | undefined;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

async function readOne(
  path: string,
  room: number,
  { head, tail, offset, limit }: Part,
  sandbox: Filesystem['sandbox'],
): Promise<string> {
  if (room <= 0) return 'Not read: the previous files fill the answer (1 MiB); read it separately';
  try {
    if (offset !== undefined || limit !== undefined) {
      const { lines: found, next } = await sandbox.readLines(path, { offset, limit, maxBytes: room });
      const isCut = next !== undefined && found.length < (limit ?? Infinity);
      return `${found.join('\n')}${isCut ? `\n… cut off; continue with offset ${next}` : ''}`;
    }
    const read = await sandbox.readText(path, { head, tail, maxBytes: room });
    return read.truncated ? `${read.text}\n… cut off: the file has ${read.size} bytes` : read.text;
  } catch (error) {
    return `Error: ${error instanceof Error ? error.message : String(error)}`;
  }
}
