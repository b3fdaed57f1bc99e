import { type Call, defineTool, textContent, type TextContent } from '@mcp/protocol';
import * as z from 'zod';
import { defaultTextBytes } from '@mcp/sandbox';
import type { Filesystem } from '../context.ts';
import { type FilePart, readPart, refuseSeveralParts } from '../input/file-part.ts';
import { type FileText, maxTextSize } from '../text/file-text.ts';

const lines = z.int().min(1).optional();

export const readTextFile = defineTool({
  name: 'read_text_file',
  title: 'Read text file',
  description:
    `Reads a text file: up to ${maxTextSize}, the first or last lines, or, with offset or limit, a range of ` +
    'numbered lines.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  inputSchema: z.object({
    path: z.string(),
    head: lines.describe('Only this many lines from the start'),
    tail: lines.describe('Only this many lines from the end'),
    offset: lines.describe('Number of the first line to read'),
    limit: lines.describe('Maximum number of lines from there'),
    hash: z.boolean().default(false).describe('Add the SHA-256 of the file, for expectedHash'),
  }),
  run: readText,
});

/** The tool `read_text_file` under its older name, which existing allow-lists contain. */
export const readFile = defineTool({
  name: 'read_file',
  title: 'Read file',
  description: 'Older name of read_text_file.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  inputSchema: z.object({ path: z.string(), head: lines, tail: lines, offset: lines, limit: lines }),
  run: readText,
});

type Shown = string | TextContent[];

function readText(
  { path, ...part }: FilePart & { path: string },
  call: Call<Filesystem>,
): Shown | Promise<Shown> {
  refuseSeveralParts(part);
  const read = readPart(call.context.sandbox, path, part, defaultTextBytes, call);
  return read instanceof Promise ? read.then(withNotes) : withNotes(read);
}

function withNotes({ text, note, hash }: FileText): Shown {
  const notes = [...(note === undefined ? [] : [note]), ...(hash === undefined ? [] : [`SHA-256: ${hash}`])];
  return notes.length === 0 ? text : [text, ...notes].map((each) => textContent(each));
}
