import { type Call, defineTool, textContent, type TextContent } from '@mcp/protocol';
import * as z from 'zod';
import { counted } from '@mcp/sandbox';
import type { Filesystem } from '../context.ts';
import { interpretNames } from '../input/argument-names.ts';
import { explainDocument } from '../input/document-part.ts';
import { globInPath, severalPaths } from '../input/several-paths.ts';
import { type FilePart, readPart, refuseSeveralParts } from '../input/file-part.ts';
import { type FileText, maxTextBytes, maxTextSize } from '../text/file-text.ts';

const lines = z.int().min(1).optional();

export const readMultipleFiles = defineTool({
  name: 'read_multiple_files',
  title: 'Read multiple files',
  description:
    `Reads several text files, or the same part of each, up to ${maxTextSize} in all; an error in one does not affect ` +
    'the others.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  interpret: interpretNames({ file_paths: 'paths', pattern: 'glob' }),

  inputSchema: z.object({
    paths: severalPaths,
    path: z.string().optional(),
    glob: globInPath.describe('All files in path that match'),
    skip: z.int().min(0).optional(),
    head: lines.describe('Lines from the start'),
    tail: lines.describe('Lines from the end'),
    offset: lines.describe('First line'),
    limit: lines.describe('Number of lines from offset'),
    hash: z.boolean().optional(),
  }),

  async run({ path, paths, glob, skip = 0, ...part }, call: Call<Filesystem>) {
    refuseSeveralParts(part);
    const { signal, progress } = call;
    const selected = await call.context.sandbox.select({ path, paths, glob }, { kinds: ['file'], signal });
    const total = selected.paths.length;
    if (skip >= total && skip > 0)
      throw new Error(
        `skip is ${skip}, and there ${total === 1 ? 'is' : 'are'} only ${counted(total, 'file')}`,
      );
    const blocks: TextContent[] = [];
    let room = maxTextBytes;
    for (const each of selected.paths.slice(skip)) {
      signal.throwIfAborted();
      const maxBytes = Math.max(maxTextBytes - Buffer.byteLength(JSON.stringify(each)), 1);
      const block = blockOf(each, await readOne(each, part, maxBytes, call));
      room -= block.length;
      // There is no room for this file: the next page begins with it.
      if (room < 0 && blocks.length > 0) break;
      blocks.push(textContent(block));
      progress(blocks.length, total - skip);
    }
    const end = skip + blocks.length;
    const range = `Files ${skip + 1} to ${end} of ${total}`;
    if (end < total) return [...blocks, textContent(`${range}; continue with skip ${end}`)];
    // The caller of a glob does not know how many files match, so the answer ends with their number.
    if (glob === undefined) return blocks;
    return [...blocks, textContent(skip > 0 ? range : counted(total, 'file'))];
  },
});

/** Returns a line with path and facts, which the content cannot forge, and the text of a file. */
function blockOf(path: string, { text, note, hash }: FileText): string {
  const facts = [...(hash === undefined ? [] : [`SHA-256 ${hash}`]), ...(note === undefined ? [] : [note])];
  return `${JSON.stringify(path)}${facts.length > 0 ? ` (${facts.join('; ')})` : ''}:\n${text}`;
}

async function readOne(
  path: string,
  part: FilePart,
  maxBytes: number,
  call: Call<Filesystem>,
): Promise<FileText> {
  const { signal } = call;
  try {
    return await readPart(call.context, path, part, maxBytes, { signal });
  } catch (error) {
    signal.throwIfAborted();
    const explained = explainDocument(path, error, call.context);
    return { text: `Error: ${explained instanceof Error ? explained.message : String(explained)}` };
  }
}
