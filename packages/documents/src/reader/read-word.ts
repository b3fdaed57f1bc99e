import mammoth from 'mammoth';
import type { DocumentText } from '../document.ts';
import type { ReaderRequest } from '../reader-protocol.ts';
import { checkContent } from './check-content.ts';
import { counted } from './counted.ts';
import { linesOf, selectLines } from './lines.ts';
import { Refusal } from './refusal.ts';
import { textOfWord, type WordElement } from './word-text.ts';

/** Reads the requested lines of a Word file. */
export async function readWord(bytes: Uint8Array, request: ReaderRequest): Promise<DocumentText> {
  await checkContent(bytes, request);
  const lines = linesOf(textOfWord(await parse(bytes)));
  const { offset = 1 } = request;
  if (offset > lines.length)
    throw new Refusal(`has ${counted(lines.length, 'line')}; there is no line ${offset}`);
  const selected = selectLines(lines, request);
  const end = offset + selected.length;
  return {
    text: selected.join('\n'),
    part: `Lines ${offset} to ${end - 1} of ${lines.length}`,
    ...(end <= lines.length && {
      next: { offset: end, ...(request.limit !== undefined && { limit: request.limit }) },
    }),
  };
}

/** Returns the document as mammoth parses it. Mammoth's own output would be HTML, which is not used. */
async function parse(bytes: Uint8Array): Promise<WordElement> {
  let document: WordElement | undefined;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  await mammoth.convertToHtml(
    { buffer },
    {
      externalFileAccess: false,
      transformDocument(element: WordElement) {
        document = element;
        return { ...element, children: [] };
      },
    },
  );
  if (!document) throw new Error('its archive contains no document');
  return document;
}
