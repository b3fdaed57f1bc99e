import { type Call, defineTool, textContent, type TextContent } from '@mcp/protocol';
import * as z from 'zod';
import type { TextRead } from '../backend/read/read-text.ts';
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
  annotations: { readOnlyHint: true, openWorldHint: false },
  inputSchema: input,
  run: readText,
});

/** The older name of the same tool, which allow-lists still have. */
export const readFile = defineTool({
  name: 'read_file',
  title: 'Read file',
  description: 'The older name of read_text_file.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  inputSchema: input.pick({ path: true, head: true, tail: true }),
  run: readText,
});

type Shown = string | TextContent[];

/** A small file is read at once: there is nothing to wait for. */
function readText(
  { path, head, tail, offset, limit }: z.infer<typeof input>,
  { sandbox }: Filesystem,
  call: Call,
): Shown | Promise<Shown> {
  if ([head, tail, offset ?? limit].filter((each) => each !== undefined).length > 1)
    throw new Error('Ask for head, for tail, or for offset and limit');
  if (offset !== undefined || limit !== undefined) return readRange(path, { offset, limit }, sandbox, call);
  const read = sandbox.readText(path, { head, tail });
  return read instanceof Promise ? read.then(shown) : shown(read);
}

function shown({ text: content, truncated, size }: TextRead): Shown {
  if (!truncated) return content;
  const note = `Cut off: the file has ${size} bytes. Ask for fewer lines with head, tail, or offset and limit.`;
  return [textContent(content), textContent(note)];
}

async function readRange(
  path: string,
  range: { offset: number | undefined; limit: number | undefined },
  sandbox: Filesystem['sandbox'],
  { signal, progress }: Call,
): Promise<Shown> {
  const read = await sandbox.readLines(path, { ...range, signal, progress });
  const numbered = read.lines.map((line, index) => `${read.first + index}\t${line}`).join('\n');
  if (read.next === undefined) return numbered;
  const cut = read.cut ? 'Cut off in the last of these lines. ' : '';
  return [textContent(numbered), textContent(`${cut}There is more: go on with offset ${read.next}.`)];
}
