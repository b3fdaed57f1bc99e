import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { type DocumentKind, kindNames } from '../document-kind.ts';
import type { ReaderRequest } from '../reader-protocol.ts';
import { Refusal } from './refusal.ts';

const maxEntries = 10_000;
/**
 * The header of a PDF file is searched in this number of bytes: PDF readers accept other bytes before it.
 */
const maxPdfStart = 1_024;

/** Refuses a document whose content does not match its extension, or that expands to too many bytes. */
export async function checkContent(bytes: Uint8Array, { kind, maxExpanded }: ReaderRequest): Promise<void> {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (data.length === 0) throw new Refusal('is empty');
  if (begins(data, 0xd0, 0xcf, 0x11, 0xe0)) throw oldOrEncrypted(data, kind);
  const found = begins(data, 0x50, 0x4b, 3, 4)
    ? await checkZip(data, maxExpanded)
    : isPdf(data)
      ? 'pdf'
      : undefined;
  if (found === kind) return;
  throw new Refusal(
    found
      ? `is ${kindNames[found]}, not ${kindNames[kind]}; rename it to .${found}`
      : `is not ${kindNames[kind]}`,
  );
}

function begins(data: Buffer, ...bytes: readonly number[]): boolean {
  return bytes.every((byte, index) => data[index] === byte);
}

function isPdf(data: Buffer): boolean {
  return data.subarray(0, maxPdfStart).includes('%PDF-');
}

/**
 * The refusal of a file in Microsoft's container format CFB, which Office files before 2007 and encrypted
 * .docx and .xlsx files use.
 */
function oldOrEncrypted(data: Buffer, kind: DocumentKind): Refusal {
  const isEncrypted = data.includes(Buffer.from('EncryptedPackage', 'utf16le'));
  return new Refusal(
    isEncrypted
      ? 'is encrypted; save it without a password'
      : `is of the format before 2007, not ${kindNames[kind]}; save it as .docx or .xlsx`,
  );
}

/** Returns the kind of document in a zip file, judged by the names of its entries; undefined for others. */
async function checkZip(data: Buffer, maxExpanded: number): Promise<DocumentKind | undefined> {
  const names = new Set<string>();
  let expanded = 0;
  for (const { fileName, uncompressedSize } of await entriesOf(data)) {
    names.add(fileName.toLowerCase());
    expanded += uncompressedSize;
  }
  if (expanded > maxExpanded)
    throw new Refusal(`expands to ${expanded} bytes; the maximum is ${maxExpanded}`);
  if ([...names].some((name) => name.endsWith('vbaproject.bin')))
    throw new Refusal('has macros; save it without them');
  if (names.has('word/document.xml')) return 'docx';
  return names.has('xl/workbook.xml') ? 'xlsx' : undefined;
}

async function entriesOf(data: Buffer): Promise<Entry[]> {
  const entries: Entry[] = [];
  let zip: ZipFile;
  try {
    zip = await fromBufferPromise(data);
    if (zip.entryCount > maxEntries)
      throw new Refusal(`has ${zip.entryCount} entries in its ZIP archive; the maximum is ${maxEntries}`);
    for await (const entry of zip.eachEntry()) entries.push(entry);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(`is damaged: ${error instanceof Error ? error.message : String(error)}`);
  }
  return entries;
}
