import { type Call, defineTool, jsonResult } from '@mcp/protocol';
import { visibleTo } from '@mcp/views';
import * as z from 'zod';
import type { Filesystem } from '../context.ts';

const maxLineLength = 2_000;
/** Of larger files, the lines are not counted. */
const maxCountedBytes = 256 * 1024 * 1024;

/**
 * By this tool, the view reads lines of a text file, and again when the file has changed: `unless` is the
 * version that it has.
 */
export const readLines = defineTool({
  name: 'read_lines',
  title: 'Read lines',
  description: 'Returns lines of a text file to the view.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  view: visibleTo(['app']),

  inputSchema: z.object({
    path: z.string(),
    offset: z.int().min(1).default(1),
    limit: z.int().min(1).max(1_000).default(300),
    unless: z.string().optional(),
  }),

  async run({ path, offset, limit, unless }, { context: { sandbox }, signal, progress }: Call<Filesystem>) {
    const { path: real, size, modified } = await sandbox.info(path);
    const facts = { path: sandbox.shownPath(real), size, modified: modified.getTime() };
    const version = `${size}-${facts.modified}`;
    if (version === unless) return answer({ ...facts, version });
    const counts = size <= maxCountedBytes;
    const read = await sandbox.readLines(path, { offset, limit, counts, signal, progress });
    const lines = read.lines.map((line) =>
      line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line,
    );
    return answer({ ...facts, version, lines, total: read.total, more: read.next !== undefined });
  },
});

function answer(facts: object) {
  return jsonResult({ content: 'The answer is in structuredContent', json: JSON.stringify(facts) });
}
