import { type Call, defineTool, textContent, type TextContent } from '@mcp/protocol';
import * as z from 'zod';
import { defaultTextBytes } from '@mcp/sandbox';
import type { Filesystem } from '../context.ts';
import {
  type DocumentPart,
  explainDocument,
  isDocument,
  readDocument,
  refuseDocumentPart,
} from '../input/document-part.ts';
import { interpretNames } from '../input/argument-names.ts';
import { readPart, refuseSeveralParts } from '../input/file-part.ts';
import { maxResultSize } from '../text/bounds.ts';
import { type FileText, maxTextSize } from '../text/file-text.ts';
import { filesView } from '../views.ts';

const lines = z.int().min(1).optional();

const input = z.object({
  path: z.string(),
  head: lines.describe('Only this many lines from the start'),
  tail: lines.describe('Only this many lines from the end'),
  offset: lines.describe('Number of the first line to read'),
  limit: lines.describe('Maximum number of lines from offset'),
  hash: z.boolean().default(false).describe('Add the SHA-256 of the file, for expectedHash'),
});

const definition = {
  name: 'read_text_file',
  title: 'Read text file',
  annotations: { readOnlyHint: true, openWorldHint: false },
  interpret: interpretNames(),
  _meta: maxResultSize,
} as const;

const documentInput = input.extend({
  pages: z.string().optional().describe('Of a PDF file: 3, 3-5 or 3-'),
  sheet: z.string().optional().describe('Of an Excel file'),
  rows: z.string().optional().describe('Of the sheet: 3-5'),
});

interface ReadOptions {
  /** Whether the package that reads documents is installed. */
  readonly documents: boolean;
  readonly numbered: boolean;
}

export function readTextFile({ documents, numbered }: ReadOptions) {
  const description = numbered
    ? `Reads a text file with line numbers: up to ${maxTextSize}, the first or last lines, or a range.`
    : `Reads a text file: up to ${maxTextSize}, the first or last lines, or, with offset or limit, a range of numbered lines.`;
  return defineTool({
    ...definition,
    description: documents ? `${description} Of PDF, Word and Excel files, the text.` : description,
    inputSchema: documents ? documentInput : input,
    view: filesView,
    run: readText,
  });
}

/** The tool `read_text_file` under its older name, which existing allow-lists contain. */
export const readFile = defineTool({
  name: 'read_file',
  title: 'Read file',
  description: 'Older name of read_text_file.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  _meta: maxResultSize,
  inputSchema: z.object({ path: z.string(), head: lines, tail: lines, offset: lines, limit: lines }),
  run: readText,
});

type Shown = string | TextContent[];

function readText(
  { path, ...part }: DocumentPart & { path: string },
  call: Call<Filesystem>,
): Shown | Promise<Shown> {
  refuseSeveralParts(part);
  if (call.context.documents && isDocument(path)) return readDocument(path, part, call).then(withNotes);
  refuseDocumentPart(path, part);
  const explain = (error: unknown) => {
    throw explainDocument(path, error, call.context);
  };
  try {
    const read = readPart(call.context, path, part, defaultTextBytes, call);
    return read instanceof Promise ? read.then(withNotes, explain) : withNotes(read);
  } catch (error) {
    return explain(error);
  }
}

function withNotes({ text, note, hash }: FileText): Shown {
  const notes = [...(note === undefined ? [] : [note]), ...(hash === undefined ? [] : [`SHA-256: ${hash}`])];
  return notes.length === 0 ? text : [text, ...notes].map((each) => textContent(each));
}
