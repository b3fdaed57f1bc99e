import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { LanguageName } from './language-names.ts';
import { type Outline, nest } from './outline.ts';
import { OutlineError } from './outline-error.ts';
import type { ParseRequest, ParseResponse, WorkerOptions } from './worker-protocol.ts';

/** The bounds of an outline. */
export interface OutlinerOptions {
  /** The largest text in characters. Defaults to 4 Mi. */
  readonly maxLength?: number | undefined;
  /** The most symbols of an outline. Defaults to 20,000. */
  readonly maxSymbols?: number | undefined;
  /** Milliseconds for one text. Defaults to 5,000. */
  readonly timeoutMs?: number | undefined;
  /** The most memory of the parser in bytes, at least 32 MiB. Defaults to 512 MiB. */
  readonly maxMemory?: number | undefined;
}

const defaults = {
  maxLength: 4 * 1024 * 1024,
  maxSymbols: 20_000,
  timeoutMs: 5_000,
  maxMemory: 512 * 1024 * 1024,
};

/** The length of a text after which the thread ends, and the time without a text. */
const largeLength = 256 * 1024;
const idleMs = 60_000;

/** Blocks within blocks on one line, of which the grammar of Markdown can keep 250. */
const deepBlocks = /^[ \t]*(?:[>*+-][ \t]*){200}|^[ \t]{400}/m;

/**
 * Makes outlines in a worker thread, one text at a time. The thread starts when it is needed, and does not
 * keep the process alive. It ends after a large text, after a minute without one, and when a parse exceeds
 * its bounds.
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
   * Returns the outline of a text in a language; bytes are read as UTF-8, with U+FFFD for what is not.
   * Rejects with an `OutlineError` for a text that exceeds the bounds, and with the reason of the signal when
   * it aborts.
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

  /** Ends the worker thread. A later call of `outlineOf` starts another. */
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

  /** WebAssembly returns no memory, so that the thread ends after a large text, and when it is not used. */
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
      const exited = () => settle(() => reject(noOutline('its parse ended the worker thread')));
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
    // None of the options of this process, such as those of a debugger; sources import other packages as
    // source.
    execArgv: extension === '.ts' ? ['--conditions=@mcp/source'] : [],
    env: {},
    workerData: { maxMemory } satisfies WorkerOptions,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  // The end of the thread follows, which a waiting call notices.
  return worker.on('error', () => {});
}
