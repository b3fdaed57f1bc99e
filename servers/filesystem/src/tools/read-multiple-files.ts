import { defineTool, textContent, type TextContent } from '@mcp/protocol';
import * as z from 'zod';
import type { Filesystem } from '../context.ts';

const maxBytes = 1024 * 1024;

export const readMultipleFiles = defineTool({
  name: 'read_multiple_files',
  title: 'Read multiple files',
  description: 'Reads several text files; an error in one does not affect the others.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object({ paths: z.array(z.string()).min(1) }),

  async run({ paths }, { sandbox }: Filesystem, { signal, progress }) {
    const blocks: TextContent[] = [];
    let room = maxBytes;
    for (const path of paths) {
      signal.throwIfAborted();
      const read = await readOne(path, room, sandbox);
      room -= Buffer.byteLength(read);
      blocks.push(textContent(`${JSON.stringify(path)}:\n${read}`));
      progress(blocks.length, paths.length);
    }
    return blocks;
  },
});

async function readOne(path: string, room: number, sandbox: Filesystem['sandbox']): Promise<string> {
  if (room <= 0) return 'Not read: the previous files fill the answer (1 MiB); read it separately';
  try {
    const read = await sandbox.readText(path, { maxBytes: room });
    return read.truncated ? `${read.text}\n… cut off: the file has ${read.size} bytes` : read.text;
  } catch (error) {
    return `Error: ${error instanceof Error ? error.message : String(error)}`;
  }
}
