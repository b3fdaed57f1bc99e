import { defineTool, text, type TextContent } from '@mcp/protocol';
import * as z from 'zod';
import type { Filesystem } from '../context.ts';

const lines = z.int().min(1).optional();

const input = z.object({
  path: z.string(),
  head: lines.describe('Only this many lines from the start'),
  tail: lines.describe('Only this many lines from the end'),
  offset: lines.describe('Number of the first line to read'),
  limit: lines.describe('How many lines to read from there'),
});

export const readTextFile = defineTool({
  name: 'read_text_file',
  title: 'Read text file',
  description:
    'Reads a text file, whole, its first or last lines, or, with offset or limit, a range of lines with their numbers.',
  hints: { readOnly: true, openWorld: false },
  input,
  run: (args, { sandbox }: Filesystem) => readText(args, sandbox),
});

/** The older name of the same tool, which allow-lists still have. */
export const readFile = defineTool({
  name: 'read_file',
  title: 'Read file',
  description: 'The older name of read_text_file.',
  hints: { readOnly: true, openWorld: false },
  input: input.pick({ path: true, head: true, tail: true }),
  run: (args, { sandbox }: Filesystem) => readText(args, sandbox),
});

async function readText(
  { path, head, tail, offset, limit }: z.infer<typeof input>,
  sandbox: Filesystem['sandbox'],
): Promise<string | TextContent[]> {
  if ([head, tail, offset ?? limit].filter((each) => each !== undefined).length > 1)
    throw new Error('Ask for head, for tail, or for offset and limit');
  if (offset !== undefined || limit !== undefined) return readRange(path, { offset, limit }, sandbox);

  const read = await sandbox.readText(path, { head, tail });
  if (!read.truncated) return read.text;
  const note = `Cut off: the file has ${read.size} bytes. Ask for fewer lines with head, tail, or offset and limit.`;
  return [text(read.text), text(note)];
}

async function readRange(
  path: string,
  range: { offset: number | undefined; limit: number | undefined },
  sandbox: Filesystem['sandbox'],
): Promise<string | TextContent[]> {
  const read = await sandbox.readLines(path, range);
  const numbered = read.lines.map((line, index) => `${read.first + index}\t${line}`).join('\n');
  if (read.next === undefined) return numbered;
  const cut = read.cut ? 'Cut off in the last of these lines. ' : '';
  return [text(numbered), text(`${cut}There is more: go on with offset ${read.next}.`)];
}
