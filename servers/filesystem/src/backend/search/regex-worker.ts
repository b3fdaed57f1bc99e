import type { Worker } from 'node:worker_threads';
import { quoted } from '../display-name.ts';
import { matchInWorker, type MatchRequest, type MatchResponse, type MatchTask } from './regex-worker-main.ts';

/** How long an expression may take over the {@link memoryBytes} it is given at once. */
const patienceMs = 2000;
export const memoryBytes = 1024 * 1024;
const longest = 1000;

/** Matches a regular expression in a thread of its own, which is killed where it takes too long. */
export class ExpressionWorker implements AsyncDisposable {
  readonly memory: readonly SharedArrayBuffer[];
  readonly #pattern: string;
  readonly #worker: Worker;
  #failed: Error | undefined;
  #settle: ((result: MatchResponse | Error) => void) | undefined;

  constructor(pattern: string, ignoreCase: boolean) {
    const { source, flags } = compiled(pattern, ignoreCase);
    this.#pattern = pattern;
    this.memory = [new SharedArrayBuffer(memoryBytes), new SharedArrayBuffer(memoryBytes)];
    // What must not be there, and a `^` that is only for the beginning of all, is another thing in a line.
    const quick = !/\(\?(<?!|[a-z]*-)/.test(pattern);
    const workerData: MatchTask = { source, flags, quick, memory: this.memory };
    // Loading it takes time that a server which starts does not have.
    const threads = process.getBuiltinModule('node:worker_threads');
    this.#worker = new threads.Worker(`(${matchInWorker.toString()})()`, {
      eval: true,
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: 64 },
    });
    this.#worker.on('message', (response: MatchResponse) => this.#done(response));
    this.#worker.on('error', (error: Error) => this.#fail(error));
  }

  /** The matches in some pieces of the memory; one request at a time. */
  async match(request: MatchRequest): Promise<MatchResponse> {
    if (this.#failed) throw this.#failed;
    const timer = setTimeout(() => {
      this.#fail(new Error(`The regular expression takes too long: ${quoted(this.#pattern)}`));
    }, patienceMs);
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

/** Whole characters, as `\p{…}` needs them; the looser grammar for expressions that escape more than they must. */
function compiled(pattern: string, ignoreCase: boolean): { source: string; flags: string } {
  if (pattern.length > longest)
    throw new Error(`Regular expression longer than ${longest} characters: ${quoted(pattern)}`);
  const flags = ignoreCase ? 'mi' : 'm';
  for (const attempt of [`${flags}u`, flags]) {
    try {
      return { source: new RegExp(pattern, attempt).source, flags: attempt };
    } catch (error) {
      if (attempt === flags) {
        const reason = error instanceof Error ? error.message.replace(/^.*: /s, '') : String(error);
        throw new Error(`Not a regular expression (${reason}): ${quoted(pattern)}`, { cause: error });
      }
    }
  }
  throw new Error(`Not a regular expression: ${quoted(pattern)}`);
}
