import { type Call, defineTool, textContent, type TextContent } from '@mcp/protocol';
import * as z from 'zod';
import type { LinesRead } from '../backend/read/read-lines.ts';
import type { TextRead } from '../backend/read/read-text.ts';
import type { Filesystem } from '../context.ts';

/** What a read without limits answers with at most. */
const defaultBytes = 64 * 1024;

const lines = z.int().min(1).optional();

const input = z.object({
  path: z.string(),
  head: lines.describe('Only this many lines from the start'),
  tail: lines.describe('Only this many lines from the end'),
  offset: lines.describe('Number of the first line to read'),
  limit: lines.describe('Maximum number of lines from there'),
  hash: z.boolean().default(false).describe('Add the SHA-256 of the file, for expectedHash'),
});

export const readTextFile = defineTool({
  name: 'read_text_file',
  title: 'Read text file',
  description:
    'Reads a text file: up to 64 KiB from the start, the first or last lines, or, with offset or limit, a range of ' +
    'numbered lines.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  inputSchema: input,
  run: readText,
});

/** The older name of the same tool, which existing allow-lists use. */
export const readFile = defineTool({
  name: 'read_file',
  title: 'Read file',
  description: 'Older name of read_text_file.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  inputSchema: z.object({ path: z.string(), head: lines, tail: lines, offset: lines, limit: lines }),
  run: (args, context: Filesystem, call) => readText({ ...args, hash: false }, context, call),
});

type Shown = string | TextContent[];
type Input = Omit<z.infer<typeof input>, 'offset' | 'limit'> & {
  offset?: number | undefined;
  limit?: number | undefined;
};

/** Synchronous for small files, which saves a turn of the event loop. */
function readText(
  { path, head, tail, offset, limit, hash }: Input,
  { sandbox }: Filesystem,
  call: Call,
): Shown | Promise<Shown> {
  if ([head, tail, offset ?? limit].filter((each) => each !== undefined).length > 1)
    throw new Error('Give only one of head, tail, and offset with limit');
  if (offset !== undefined || limit !== undefined) {
    const { signal, progress } = call;
    return sandbox.readLines(path, { offset, limit, hash, signal, progress }).then(showLines);
  }
  const isWhole = head === undefined && tail === undefined;
  const show = isWhole ? showStart : showPart;
  const read = sandbox.readText(path, { head, tail, maxBytes: isWhole ? defaultBytes : undefined, hash });
  return read instanceof Promise ? read.then(show) : show(read);
}

function showPart({ text, truncated, size, hash }: TextRead): Shown {
  const note = `Cut off: the file has ${size} bytes. Request fewer lines with head, tail, or offset and limit.`;
  return withNotes(text, [truncated && note, hash && `SHA-256: ${hash}`]);
}

/** The start of a file, cut at the end of a line, with the number of the next one. */
function showStart({ text, truncated, size, hash }: TextRead): Shown {
  const hashNote = hash && `SHA-256: ${hash}`;
  if (!truncated) return withNotes(text, [hashNote]);
  const end = text.lastIndexOf('\n');
  if (end < 0)
    return withNotes(text, [
      `Cut off in line 1; the file has ${size} bytes. limit 1 shows more of it.`,
      hashNote,
    ]);
  const whole = text.slice(0, end);
  const count = whole.split('\n').length;
  const range = `These are lines 1 to ${count}; the file has ${size} bytes. Continue with offset ${count + 1}.`;
  return withNotes(whole, [range, hashNote]);
}

function showLines({ first, lines: read, next, cut, hash }: LinesRead): Shown {
  const numbered = read.map((line, index) => `${first + index}\t${line}`).join('\n');
  const where = cut ? 'Cut off in the last of these lines. ' : '';
  const more = next !== undefined && `${where}There is more; continue with offset ${next}.`;
  return withNotes(numbered, [more, hash && `SHA-256: ${hash}`]);
}

function withNotes(text: string, notes: readonly (string | false | undefined)[]): Shown {
  const given = notes.filter((note) => typeof note === 'string');
  return given.length === 0 ? text : [text, ...given].map((each) => textContent(each));
}
