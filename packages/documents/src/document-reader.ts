import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { DocumentError } from './document-error.ts';
import { type DocumentKind, documentKindOf, reasonNotRead } from './document-kind.ts';
import type { DocumentRequest, DocumentText } from './document.ts';
import type { ReaderRequest, ReaderResponse } from './reader-protocol.ts';

export interface DocumentReaderOptions {
  /** Maximum size of a document in bytes. Defaults to 64 MiB. */
  readonly maxBytes?: number | undefined;
  /** Maximum number of bytes to which a compressed (Word or Excel) file expands. Defaults to 256 MiB. */
  readonly maxExpanded?: number | undefined;
  /** Maximum time for one document in milliseconds. Defaults to 20,000. */
  readonly timeoutMs?: number | undefined;
  /** Maximum memory of the process that reads the document, in bytes. Defaults to 512 MiB. */
  readonly maxMemory?: number | undefined;
}

const mebibyte = 1024 * 1024;
const defaults = {
  maxBytes: 64 * mebibyte,
  maxExpanded: 256 * mebibyte,
  timeoutMs: 20_000,
  maxMemory: 512 * mebibyte,
};
const defaultMaxCharacters = 40_000;
const memoryWatchMs = 20;

/**
 * Reads documents one at a time, each in a new process. The process has none of this process's environment.
 * Where Node has `--permission`, the process can read only the files of this package and, since Node 25, open
 * no connections.
 */
export class DocumentReader {
  readonly #options: Readonly<Record<keyof typeof defaults, number>>;
  #last: Promise<unknown> = Promise.resolve();

  constructor({
    maxBytes = defaults.maxBytes,
    maxExpanded = defaults.maxExpanded,
    timeoutMs = defaults.timeoutMs,
    maxMemory = defaults.maxMemory,
  }: DocumentReaderOptions = {}) {
    this.#options = { maxBytes, maxExpanded, timeoutMs, maxMemory };
  }

  /**
   * Returns the text of a part. The extension of `name` tells the kind. Rejects with a `DocumentError` that
   * says why the document cannot be read, or with the reason of `signal` if that aborts.
   */
  async read(
    bytes: Uint8Array,
    name: string,
    request: DocumentRequest = {},
    signal?: AbortSignal,
  ): Promise<DocumentText> {
    const refuse = (reason: string) => new DocumentError(`${JSON.stringify(name)} ${reason}`);
    signal?.throwIfAborted();
    const kind = documentKindOf(name);
    if (!kind) throw refuse(reasonNotRead(name) ?? 'is not a PDF, Word (.docx) or Excel (.xlsx) file');
    checkRequest(kind, request);
    const { maxBytes } = this.#options;
    if (bytes.length > maxBytes) throw refuse(`has ${bytes.length} bytes; the maximum is ${maxBytes}`);
    const response = this.#last.then(() => this.#ask(kind, bytes, request, signal));
    this.#last = response.catch(() => {});
    const answer = await response;
    if ('refusal' in answer) throw refuse(answer.refusal);
    return answer.document;
  }

  async #ask(
    kind: DocumentKind,
    bytes: Uint8Array,
    { maxCharacters = defaultMaxCharacters, ...request }: DocumentRequest,
    signal: AbortSignal | undefined,
  ): Promise<ReaderResponse> {
    signal?.throwIfAborted();
    const { timeoutMs, maxMemory, maxExpanded } = this.#options;
    const head: ReaderRequest = { kind, maxCharacters, maxExpanded, ...request };
    const child = startProcess(maxMemory);
    const tooMuch = { refusal: `needs more than ${Math.floor(maxMemory / mebibyte)} MiB of memory to read` };
    let end: Error | ReaderResponse | undefined;
    const stop = (reason: Error | ReaderResponse) => {
      end ??= reason;
      child.kill('SIGKILL');
    };
    const abort = () => stop(signal!.reason);
    const timer = setTimeout(() => stop({ refusal: `takes more than ${timeoutMs} ms to read` }), timeoutMs);
    const watch = setInterval(() => memoryOf(child) > maxMemory && stop(tooMuch), memoryWatchMs);
    signal?.addEventListener('abort', abort);
    try {
      const exit = exitOf(child);
      child.stdin.write(`${JSON.stringify(head)}\n`);
      child.stdin.end(bytes);
      const [output, { code, killed }] = await Promise.all([textOf(child.stdout), exit]);
      if (end instanceof Error) throw end;
      if (end) return end;
      if (code === 0) return JSON.parse(output) as ReaderResponse;
      // The process ran out of memory: V8 aborted it, or the system killed it.
      if (killed) return tooMuch;
      throw new DocumentError(
        `The process that reads documents ended with the exit code ${code}; the file may be damaged`,
      );
    } finally {
      clearTimeout(timer);
      clearInterval(watch);
      signal?.removeEventListener('abort', abort);
    }
  }
}

/** Throws if a request contains an option that does not apply to this kind of document. */
function checkRequest(kind: DocumentKind, { pages, sheet, rows, offset, limit }: DocumentRequest): void {
  if (pages !== undefined && kind !== 'pdf') throw new DocumentError('Only a PDF file has pages');
  if ((sheet ?? rows) !== undefined && kind !== 'xlsx')
    throw new DocumentError('Only an Excel file has sheets and rows');
  if ((offset ?? limit) !== undefined && kind === 'xlsx')
    throw new DocumentError('An Excel file is read by sheet and rows, not by offset and limit');
}

/** How a process ended: with an exit code, or killed by a signal. An abort of V8 counts as killed. */
interface Exit {
  readonly code: number | null;
  readonly killed: boolean;
}

/** The exit code of a process that V8 has aborted, on systems without signals (Windows). */
const abortCode = 134;

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, killed: signal !== null || code === abortCode }));
  });
}

/**
 * The resident memory of a process in bytes; 0 on systems without `/proc`. There, only the heap is limited,
 * by `--max-old-space-size`.
 */
function memoryOf({ pid }: ChildProcess): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/**
 * Starts the process that reads one document. Where Node has `--permission`, and if this package was built
 * and is not run as TypeScript, the process may read only the directory of this file.
 */
function startProcess(maxMemory: number): ChildProcessByStdio<Writable, Readable, null> {
  const extension = extname(import.meta.filename);
  const permissions = process.allowedNodeEnvironmentFlags.has('--permission')
    ? ['--permission', `--allow-fs-read=${import.meta.dirname}${sep}*`]
    : [];
  const args = [
    `--max-old-space-size=${Math.floor(maxMemory / mebibyte)}`,
    ...(extension === '.ts' ? ['--conditions=@mcp/source'] : permissions),
    join(import.meta.dirname, `reader/main${extension}`),
  ];
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    // Windows cannot start a program without this variable.
    env: process.platform === 'win32' ? { SystemRoot: process.env['SystemRoot'] } : {},
    windowsHide: true,
  });
  // The process may exit before it has read its input. Its exit code tells why.
  child.stdin.on('error', () => {});
  return child;
}
