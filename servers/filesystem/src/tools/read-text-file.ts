import { type Call, defineTool, textContent, type TextContent } from '@mcp/protocol';
import * as z from 'zod';
import { defaultTextBytes, type TextRead } from '@mcp/sandbox';
import type { Filesystem } from '../context.ts';
import {
  fileEnd,
  fileStart,
  maxTextBytes,
  maxTextSize,
  numberedLines,
  type FileText,
} from '../text/file-text.ts';

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
    `Reads a text file: up to ${maxTextSize}, the first or last lines, or, with offset or limit, a range of ` +
    'numbered lines.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  inputSchema: input,
  run: readText,
});

/** The tool `read_text_file` under its older name, which existing allow-lists contain. */
export const readFile = defineTool({
  name: 'read_file',
  title: 'Read file',
  description: 'Older name of read_text_file.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  inputSchema: z.object({ path: z.string(), head: lines, tail: lines, offset: lines, limit: lines }),
  run: (args, call: Call<Filesystem>) => readText({ ...args, hash: false }, call),
});

type Shown = string | TextContent[];
type Input = Omit<z.infer<typeof input>, 'offset' | 'limit'> & {
  offset?: number | undefined;
  limit?: number | undefined;
};

/** Reads the requested part of a file. Synchronous for small files, which saves a turn of the event loop. */
function readText(
  { path, head, tail, offset, limit, hash }: Input,
  { context: { sandbox }, signal, progress }: Call<Filesystem>,
): Shown | Promise<Shown> {
  if ([head, tail, offset ?? limit].filter((each) => each !== undefined).length > 1)
    throw new Error('Give only one of head, tail, and offset with limit');
  if (offset !== undefined || limit !== undefined) {
    const maxBytes = limit === undefined ? maxTextBytes : defaultTextBytes;
    const read = sandbox.readLines(path, { offset, limit, maxBytes, hash, signal, progress });
    return read.then((found) => withNotes(numberedLines(found, maxBytes)));
  }
  const isWhole = head === undefined && tail === undefined;
  const show = (read: TextRead) => withNotes(isWhole ? fileStart(read) : fileEnd(read, defaultTextBytes));
  const read = sandbox.readText(path, { head, tail, maxBytes: isWhole ? maxTextBytes : undefined, hash });
  return read instanceof Promise ? read.then(show) : show(read);
}

function withNotes({ text, note, hash }: FileText): Shown {
  const notes = [...(note === undefined ? [] : [note]), ...(hash === undefined ? [] : [`SHA-256: ${hash}`])];
  return notes.length === 0 ? text : [text, ...notes].map((each) => textContent(each));
}
