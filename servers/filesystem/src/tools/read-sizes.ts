import { basename } from 'node:path';
import { type Call, defineTool, jsonResult } from '@mcp/protocol';
import { visibleTo } from '@mcp/views';
import * as z from 'zod';
import { displayName } from '@mcp/sandbox';
import type { Filesystem } from '../context.ts';

/** By this tool, the view reads a page of a directory, the largest entries first. */
export const readSizes = defineTool({
  name: 'read_sizes',
  title: 'Read sizes',
  description: 'Returns the entries of a directory with the sizes of all files in them to the view.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  view: visibleTo(['app']),

  inputSchema: z.object({
    path: z.string(),
    skip: z.int().min(0).default(0),
    limit: z.int().min(1).max(500).default(200),
  }),

  async run({ path, skip, limit }, { context: { sandbox }, signal, progress }: Call<Filesystem>) {
    const order = { sortBy: 'size', recursive: true } as const;
    const read = await sandbox.listSizes(path, { ...order, skip, limit, signal, progress });
    const { files, directories, bytes, total, filesInside, unreadable } = read;
    const shown = sandbox.shownPath(read.path);
    const facts = {
      path: shown === '.' ? displayName(basename(read.path)) : shown,
      // What the names of the entries follow in the paths that the tools take.
      prefix: sandbox.answerPrefix(read.path),
      entries: read.entries.map(({ name, kind, size, modified }) => [name, kind, size, modified.getTime()]),
      files,
      directories,
      bytes,
      total,
      filesInside,
      unreadable,
    };
    return jsonResult({ content: 'The answer is in structuredContent', json: JSON.stringify(facts) });
  },
});
