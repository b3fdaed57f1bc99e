import { createHash } from 'node:crypto';
import type { Call } from '@mcp/protocol';
import type { Filesystem } from '../context.ts';
import { maxPage } from '../text/bounds.ts';
import type { FileText } from '../text/file-text.ts';
import type { FilePart } from './file-part.ts';

export interface DocumentPart extends FilePart {
  readonly pages?: string | undefined;
  readonly sheet?: string | undefined;
  readonly rows?: string | undefined;
}

/**
 * Matches names of PDF, Word and Excel files, also in formats that are not supported, for which the error
 * gives a reason.
 */
const documentName = /\.(?:pdf|do[ct][xm]?|xl[st][xmb]?)$/i;

export function isDocument(path: string): boolean {
  return documentName.test(path);
}

/** Throws for a part that only documents have. */
export function refuseDocumentPart(path: string, { pages, sheet, rows }: DocumentPart): void {
  if ((pages ?? sheet ?? rows) !== undefined)
    throw new Error(`pages, sheet and rows are for PDF and Excel files: ${JSON.stringify(path)}`);
}

export async function readDocument(
  path: string,
  { hash, head, tail, limit = head, ...part }: DocumentPart,
  { context: { sandbox, documents }, signal }: Call<Filesystem>,
): Promise<FileText> {
  if (tail !== undefined)
    throw new Error('tail is for text files; pages, rows and offset select a part of a document');
  const read = await documents!.read(sandbox, path, { ...part, limit, maxCharacters: maxPage }, signal);
  const next = Object.entries(read.next ?? {}).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return {
    text: read.text,
    note: `${read.part}${next.length > 0 ? `; continue with ${next.join(', ')}` : ''}`,
    ...(hash && { hash: createHash('sha256').update(read.bytes).digest('hex') }),
  };
}

/** If a document was read as text, adds to the error how documents can be read. */
export function explainDocument(path: string, error: unknown, { documents }: Filesystem): unknown {
  if (!isDocument(path) || !(error instanceof Error) || !error.message.startsWith('Not text:')) return error;
  const advice = documents
    ? 'read_text_file shows the text of documents'
    : 'read_text_file shows the text of documents where the package @mcp/documents is installed beside this server';
  return new Error(`${error.message}; ${advice}`);
}
