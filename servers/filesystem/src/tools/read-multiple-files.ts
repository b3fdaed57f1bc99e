import { defineTool, textContent, type TextContent } from '@mcp/protocol';
import * as z from 'zod';
import type { Filesystem } from '../context.ts';

const mostBytes = 1024 * 1024;

export const readMultipleFiles = defineTool({
  name: 'read_multiple_files',
  title: 'Read multiple files',
  description: 'Reads several text files at once; one that cannot be read does not keep back the others.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object({ paths: z.array(z.string()).min(1) }),

  async run({ paths }, { sandbox }: Filesystem, { signal, progress }) {
    const blocks: TextContent[] = [];
    let room = mostBytes;
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
  if (room <= 0) return 'Not read: the files before it were as much as one answer holds';
  try {
    const read = await sandbox.readText(path, { maxBytes: room });
    return read.truncated ? `${read.text}\n… cut off: the file has ${read.size} bytes` : read.text;
  } catch (error) {
    return `Error: ${error instanceof Error ? error.message : String(error)}`;
  }
}
