import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { LanguageName } from './language-names.ts';
import { type Outline, nest } from './outline.ts';
import { OutlineError } from './outline-error.ts';
import type { ParseRequest, ParseResponse, WorkerOptions } from './worker-protocol.ts';

export interface OutlinerOptions {
  /** Maximum number of characters of a text. Defaults to 4 Mi. */
  readonly maxLength?: number | undefined;
  /** Maximum number of symbols of an outline. Defaults to 20,000. */
  readonly maxSymbols?: number | undefined;
  /** Maximum time for one text in milliseconds. Defaults to 5,000. */
  readonly timeoutMs?: number | undefined;
  /** Maximum memory of the parser in bytes, at least 32 MiB. Defaults to 512 MiB. */
  readonly maxMemory?: number | undefined;
}

const defaults = {
  maxLength: 4 * 1024 * 1024,
  maxSymbols: 20_000,
  timeoutMs: 5_000,
  maxMemory: 512 * 1024 * 1024,
};

/**
 * The worker thread is ended after a text of more than `largeLength` characters, or when it had no text for
 * `idleMs`.
 */
const largeLength = 256 * 1024;
const idleMs = 60_000;

/**
 * Matches a line with about 200 nested Markdown blocks. Such a text is refused, because the grammar can
 * handle only 250.
 */
const deepBlocks = /^[ \t]*(?:[>*+-][ \t]*){200}|^[ \t]{400}/m;

/**
 * Makes outlines in a worker thread, one text at a time. The thread does not keep the process alive. It ends
 * after a large text, after a minute without any text, and when a parse exceeds a limit.
 */
export class Outliner implements AsyncDisposable {
  readonly #maxLength: number;
  readonly #maxSymbols: number;
  readonly #timeoutMs: number;
  readonly #maxMemory: number;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor({
    maxLength = defaults.maxLength,
    maxSymbols = defaults.maxSymbols,
    timeoutMs = defaults.timeoutMs,
    maxMemory = defaults.maxMemory,
  }: OutlinerOptions = {}) {
    this.#maxLength = maxLength;
    this.#maxSymbols = maxSymbols;
    this.#timeoutMs = timeoutMs;
    this.#maxMemory = maxMemory;
  }

  /**
   * Returns the outline of a text. Bytes are decoded as UTF-8; invalid bytes become U+FFFD. Rejects with an
   * `OutlineError` if the text exceeds a limit, and with the reason of `signal` if that aborts.
   */
  async outlineOf(
    source: string | Uint8Array,
    language: LanguageName,
    signal?: AbortSignal,
  ): Promise<Outline> {
    signal?.throwIfAborted();
    if (source.length > 4 * this.#maxLength) throw this.#tooLarge(source.length, 'bytes');
    const text = typeof source === 'string' ? source : new TextDecoder().decode(source);
    if (text.length > this.#maxLength) throw this.#tooLarge(text.length, 'characters');
    if (language === 'markdown' && deepBlocks.test(text))
      throw noOutline('its blocks are nested more than 200 deep');
    const outline = this.#last.then(() => {
      signal?.throwIfAborted();
      return this.#parse({ text, language, maxSymbols: this.#maxSymbols }, signal);
    });
    this.#last = outline.catch(() => {});
    return outline;
  }

  /** Ends the worker thread. A later call of `outlineOf` starts a new thread. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#idle);
    await this.#worker?.terminate();
    this.#worker = undefined;
  }

  #tooLarge(length: number, unit: string): OutlineError {
    return noOutline(`it has ${length} ${unit}; the maximum is ${this.#maxLength} characters`);
  }

  async #parse(request: ParseRequest, signal: AbortSignal | undefined): Promise<Outline> {
    clearTimeout(this.#idle);
    const worker = (this.#worker ??= startWorker(this.#maxMemory));
    try {
      const response = await this.#respond(worker, request, signal);
      if ('failure' in response) throw noOutline(`its parse failed: ${response.failure}`);
      this.#keepOrEnd(worker, request.text.length);
      const { symbols, isCut, hasErrors } = response;
      return { symbols: nest(symbols), count: symbols.length, isCut, hasErrors };
    } catch (error) {
      this.#end(worker);
      throw error;
    }
  }

  /** Ends the thread after a large text, and when it is idle, because WebAssembly never returns memory. */
  #keepOrEnd(worker: Worker, length: number): void {
    if (length > largeLength) return this.#end(worker);
    this.#idle = setTimeout(() => this.#end(worker), idleMs).unref();
  }

  #end(worker: Worker): void {
    this.#worker = undefined;
    void worker.terminate();
  }

  #respond(worker: Worker, request: ParseRequest, signal: AbortSignal | undefined): Promise<ParseResponse> {
    return new Promise<ParseResponse>((resolve, reject) => {
      const late = () => settle(() => reject(noOutline(`its parse took more than ${this.#timeoutMs} ms`)));
      const timer = setTimeout(late, this.#timeoutMs);
      const settle = (done: () => void) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        worker.off('message', answered).off('exit', exited).unref();
        done();
      };
      const answered = (response: ParseResponse) => settle(() => resolve(response));
      const exited = () => settle(() => reject(noOutline('the parser crashed')));
      const abort = () => settle(() => reject(signal!.reason));
      signal?.addEventListener('abort', abort);
      worker.on('message', answered).on('exit', exited).ref();
      worker.postMessage(request);
    });
  }
}

function noOutline(reason: string): OutlineError {
  return new OutlineError(`The text has no outline: ${reason}`);
}

function startWorker(maxMemory: number): Worker {
  const extension = extname(import.meta.filename);
  const worker = new Worker(new URL(`worker/main${extension}`, import.meta.url), {
    // The thread does not inherit options of this process, such as `--inspect`. If this code runs from its
    // TypeScript sources, the thread needs the condition under which other packages are also imported from
    // their sources.
    execArgv: extension === '.ts' ? ['--conditions=@mcp/source'] : [],
    env: {},
    workerData: { maxMemory } satisfies WorkerOptions,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  // Without this listener, an error of the worker would end this process. The waiting call is rejected by the
  // `exit` event that follows.
  return worker.on('error', () => {});
}
