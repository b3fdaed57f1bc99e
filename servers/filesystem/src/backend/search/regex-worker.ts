import type { Worker } from 'node:worker_threads';
import { quoted } from '../display-name.ts';
import {
  regexWorkerMain,
  type MatchRequest,
  type MatchResponse,
  type MatchTask,
} from './regex-worker-main.ts';

/** How long an expression may take for one request of up to {@link memoryBytes}. */
const matchTimeoutMs = 2000;
export const memoryBytes = 1024 * 1024;
const maxPatternLength = 1000;

/** Matches a regular expression in a worker thread, which is terminated when it takes too long. */
export class RegexWorker implements AsyncDisposable {
  readonly memory: readonly SharedArrayBuffer[];
  readonly #pattern: string;
  readonly #worker: Worker;
  #failed: Error | undefined;
  #settle: ((result: MatchResponse | Error) => void) | undefined;

  constructor(pattern: string, ignoreCase: boolean) {
    const { source, flags } = compiled(pattern, ignoreCase);
    this.#pattern = pattern;
    this.memory = [new SharedArrayBuffer(memoryBytes), new SharedArrayBuffer(memoryBytes)];
    // Lookarounds and a disabled `m` flag may match differently in the whole text and in a line.
    const quick = !/\(\?(<?!|[a-z]*-)/.test(pattern);
    const workerData: MatchTask = { source, flags, quick, memory: this.memory };
    // Not imported statically, because loading it slows the start.
    const threads = process.getBuiltinModule('node:worker_threads');
    this.#worker = new threads.Worker(`(${regexWorkerMain.toString()})()`, {
      eval: true,
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: 64 },
    });
    this.#worker.on('message', (response: MatchResponse) => this.#done(response));
    this.#worker.on('error', (error: Error) => this.#fail(error));
  }

  /** Matches pieces of the shared memory; one request at a time. */
  async match(request: MatchRequest): Promise<MatchResponse> {
    if (this.#failed) throw this.#failed;
    const timer = setTimeout(() => {
      this.#fail(
        new Error(
          `The regular expression took more than 2 seconds for 1 MiB of text; simplify it: ${quoted(this.#pattern)}`,
        ),
      );
    }, matchTimeoutMs);
    const result = await new Promise<MatchResponse | Error>((resolve) => {
      this.#settle = resolve;
      this.#worker.postMessage(request);
    });
    clearTimeout(timer);
    if (result instanceof Error) throw result;
    return result;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }

  #done(result: MatchResponse | Error): void {
    this.#settle?.(result);
    this.#settle = undefined;
  }

  #fail(error: Error): void {
    this.#failed = error;
    void this.#worker.terminate();
    this.#done(error);
  }
}

/** With the `u` flag, which `\p{…}` needs; without it for expressions with unnecessary escapes. */
function compiled(pattern: string, ignoreCase: boolean): { source: string; flags: string } {
  if (pattern.length > maxPatternLength)
    throw new Error(`Regular expression longer than ${maxPatternLength} characters: ${quoted(pattern)}`);
  const flags = ignoreCase ? 'mi' : 'm';
  for (const attempt of [`${flags}u`, flags]) {
    try {
      return { source: new RegExp(pattern, attempt).source, flags: attempt };
    } catch (error) {
      if (attempt === flags) {
        const reason = error instanceof Error ? error.message.replace(/^.*: /s, '') : String(error);
        throw new Error(`Invalid regular expression (${reason}): ${quoted(pattern)}`, { cause: error });
      }
    }
  }
  throw new Error(`Invalid regular expression: ${quoted(pattern)}`);
}
