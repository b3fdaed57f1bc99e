import type { Worker } from 'node:worker_threads';

export interface TimedWorkerOptions {
  readonly workerData?: unknown;
  readonly maxMemoryMb: number;
  readonly timeoutMs: number;
}

/**
 * A worker thread that runs a function from its source text, and that is terminated when a request takes too
 * long. It is for regular expressions, because their engine cannot be interrupted in the main thread.
 */
export class TimedWorker<Request, Response> implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #timeoutMs: number;
  #failed: Error | undefined;
  #settle: ((result: { response: Response } | Error) => void) | undefined;

  constructor(main: () => void, { workerData, maxMemoryMb, timeoutMs }: TimedWorkerOptions) {
    this.#timeoutMs = timeoutMs;
    // Loaded only here, because loading this module slows the start.
    const threads = process.getBuiltinModule('node:worker_threads');
    this.#worker = new threads.Worker(`(${main.toString()})()`, {
      eval: true,
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
    });
    this.#worker.on('message', (response: Response) => this.#done({ response }));
    this.#worker.on('error', (error: Error) => this.#fail(error));
  }

  /**
   * Sends a request and returns the response; callers send one request at a time. Rejects with the error from
   * `timedOut` if the response takes longer than `timeoutMs`, or if the signal aborts.
   */
  async request(request: Request, timedOut: () => Error, signal?: AbortSignal): Promise<Response> {
    signal?.throwIfAborted();
    if (this.#failed) throw this.#failed;
    const timer = setTimeout(() => this.#fail(timedOut()), this.#timeoutMs);
    const abort = () => this.#fail(signal?.reason instanceof Error ? signal.reason : new Error('Cancelled'));
    signal?.addEventListener('abort', abort, { once: true });
    const result = await new Promise<{ response: Response } | Error>((resolve) => {
      this.#settle = resolve;
      this.#worker.postMessage(request);
    });
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    if (result instanceof Error) throw result;
    return result.response;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }

  #done(result: { response: Response } | Error): void {
    this.#settle?.(result);
    this.#settle = undefined;
  }

  #fail(error: Error): void {
    this.#failed = error;
    void this.#worker.terminate();
    this.#done(error);
  }
}
