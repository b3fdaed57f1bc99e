import { fileURLToPath } from 'node:url';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { DocumentText } from '../document.ts';
import type { ReaderRequest } from '../reader-protocol.ts';
import { checkContent } from './check-content.ts';
import { counted } from './counted.ts';
import { linesOf, selectLines } from './lines.ts';
import { parseRange, type Range, rest } from './range.ts';
import { Refusal } from './refusal.ts';

/** A gap that is wider than this number of letters becomes a tab, because it separates columns of a table. */
const tabWidth = 2;

/** The directory of the encodings of Chinese, Japanese and Korean fonts, in `dist` beside the program. */
const cMapUrl = fileURLToPath(new URL('../../dist/cmaps/', import.meta.url));

// Empty classes replace browser classes to which PDF.js refers, but which only drawing needs. Without the
// global `pdfjsWorker`, PDF.js would start a worker.
class Unavailable {}
Object.assign(globalThis, {
  DOMMatrix: Unavailable,
  ImageData: Unavailable,
  Path2D: Unavailable,
  pdfjsWorker: await import('pdfjs-dist/legacy/build/pdf.worker.mjs'),
});
const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');

export async function readPdf(bytes: Uint8Array, request: ReaderRequest): Promise<DocumentText> {
  await checkContent(bytes, request);
  const range = parseRange('pages', request.pages);
  const document = await open(bytes);
  const count = document.numPages;
  if (range.first > count)
    throw new Refusal(`has ${counted(count, 'page')}; there is no page ${range.first}`);
  return readPages(document, { first: range.first, last: Math.min(range.last, count) }, request);
}

async function open(data: Uint8Array): Promise<PDFDocumentProxy> {
  const options = { isEvalSupported: false, disableFontFace: true, useSystemFonts: false, verbosity: 0 };
  try {
    return await getDocument({ data, cMapUrl, cMapPacked: true, ...options }).promise;
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException')
      throw new Refusal('is encrypted; save it without a password');
    throw error;
  }
}

/**
 * Reads as many whole pages as `maxCharacters` permits. If not even the first page fits, reads a part of its
 * lines.
 */
async function readPages(
  document: PDFDocumentProxy,
  range: Range,
  request: ReaderRequest,
): Promise<DocumentText> {
  const { offset, limit, maxCharacters } = request;
  const total = document.numPages;
  if ((offset ?? limit) !== undefined) return readLines(document, range, request);
  const texts: string[] = [];
  let length = 0;
  let page = range.first;
  for (; page <= range.last; page++) {
    const text = `[Page ${page}]\n${await textOf(document, page)}`;
    length += text.length + 2;
    if (length > maxCharacters) break;
    texts.push(text);
  }
  // The first page alone is too long.
  if (texts.length === 0) return readLines(document, range, request);
  return {
    text: texts.join('\n\n'),
    part: partOf(range.first, page - 1, total),
    ...(page <= range.last && { next: { pages: rest(page, range) } }),
  };
}

/** Reads lines of pages. Before the lines of each page, there is a line with the page's number. */
async function readLines(
  document: PDFDocumentProxy,
  range: Range,
  request: ReaderRequest,
): Promise<DocumentText> {
  const { offset = 1, limit = Infinity, maxCharacters } = request;
  const lines: string[] = [];
  let length = 0;
  let page = range.first;
  for (; page <= range.last && lines.length < offset - 1 + limit && length <= maxCharacters; page++) {
    const start = Math.max(lines.length, offset - 1);
    lines.push(`[Page ${page}]`, ...linesOf(await textOf(document, page)));
    length += lines.slice(start).reduce((sum, line) => sum + line.length + 1, 0);
  }
  if (lines.length < offset)
    throw new Refusal(`has ${counted(lines.length, 'line')} in these pages; there is no line ${offset}`);
  const selected = selectLines(lines, request);
  const end = offset + selected.length;
  const pages = partOf(range.first, page - 1, document.numPages);
  const more = { ...(request.limit !== undefined && { limit: request.limit }) };
  return {
    text: selected.join('\n'),
    part: `Lines ${offset} to ${end - 1} of p${pages.slice(1)}`,
    ...(end <= lines.length
      ? { next: { pages: rest(range.first, range), offset: end, ...more } }
      : page <= range.last && { next: { pages: rest(page, range), ...more } }),
  };
}

function partOf(first: number, last: number, total: number): string {
  return first === last ? `Page ${first} of ${total}` : `Pages ${first} to ${last} of ${total}`;
}

async function textOf(document: PDFDocumentProxy, number: number): Promise<string> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  let text = '';
  for (const item of items) {
    if (!('str' in item)) continue;
    const isGap = item.str.trim() === '' && item.width > tabWidth * Math.abs(item.transform[0] as number);
    text += `${isGap ? '\t' : item.str}${item.hasEOL ? '\n' : ''}`;
  }
  page.cleanup();
  const lines = text.split('\n').map((line) => line.trimEnd());
  return lines.join('\n').trim() || '(no text: the page is empty or an image)';
}
