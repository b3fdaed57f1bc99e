import { readSync, writeSync } from 'node:fs';
import type { DocumentKind } from '../document-kind.ts';
import type { DocumentText } from '../document.ts';
import type { ReaderRequest, ReaderResponse } from '../reader-protocol.ts';
import { Refusal } from './refusal.ts';

// The program of the process that reads one document. Stdin contains the request, followed by the document.

type Read = (bytes: Uint8Array, request: ReaderRequest) => Promise<DocumentText>;

/** The functions that read each kind. They are imported on demand, so that only one library is loaded. */
const readers: Readonly<Record<DocumentKind, () => Promise<Read>>> = {
  pdf: async () => (await import('./read-pdf.ts')).readPdf,
  docx: async () => (await import('./read-word.ts')).readWord,
  xlsx: async () => (await import('./read-excel.ts')).readExcel,
};

function readInput(): Buffer {
  const chunks: Buffer[] = [];
  for (;;) {
    const chunk = Buffer.allocUnsafe(1024 * 1024);
    const length = readSome(chunk);
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, length));
  }
}

function readSome(chunk: Buffer): number {
  try {
    return readSync(0, chunk);
  } catch (error) {
    // On Windows, reading at the end of a pipe throws this error.
    if ((error as NodeJS.ErrnoException).code === 'EOF') return 0;
    throw error;
  }
}

async function respond(input: Buffer): Promise<ReaderResponse> {
  const end = input.indexOf('\n');
  const request = JSON.parse(input.toString('utf8', 0, end)) as ReaderRequest;
  try {
    const read = await readers[request.kind]();
    return { document: await read(new Uint8Array(input.subarray(end + 1)), request) };
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error.message };
    const reason = error instanceof Error ? error.message : String(error);
    return { refusal: `is damaged, or not supported: ${reason.split('\n', 1)[0]}` };
  }
}

// Libraries must not print warnings to stdout, because stdout has only the answer.
Object.assign(console, { log() {}, info() {}, warn() {} });
const output = Buffer.from(JSON.stringify(await respond(readInput())));
for (let written = 0; written < output.length;) written += writeSync(1, output, written);
process.exit(0);
