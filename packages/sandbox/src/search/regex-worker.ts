import { quoted } from '@mcp/kit';
import { compileRegex } from '../compile-regex.ts';
import { TimedWorker } from '../timed-worker.ts';
import {
  regexWorkerMain,
  type MatchRequest,
  type MatchResponse,
  type MatchTask,
} from './regex-worker-main.ts';

/** Milliseconds that an expression may take for one request of up to {@link memoryBytes}. */
const matchTimeoutMs = 2000;
const maxMemoryMb = 64;
export const memoryBytes = 1024 * 1024;

/** Matches a regular expression in a worker thread, which is terminated when it takes too long. */
export class RegexWorker implements AsyncDisposable {
  readonly memory: readonly SharedArrayBuffer[];
  readonly #pattern: string;
  readonly #worker: TimedWorker<MatchRequest, MatchResponse>;

  constructor(pattern: string, ignoreCase: boolean, isMultiline: boolean) {
    const { source, flags } = compileRegex(pattern, ignoreCase, isMultiline);
    this.#pattern = pattern;
    this.memory = [new SharedArrayBuffer(memoryBytes), new SharedArrayBuffer(memoryBytes)];
    // A search of the whole text can show quickly that no line matches. But with lookarounds or without the
    // flag `m`, a line may match only when it is tested separately; then the whole text is not searched
    // first.
    const quick = !/\(\?(<?!|[a-z]*-)/.test(pattern);
    const workerData: MatchTask = { source, flags, quick, isMultiline, memory: this.memory };
    this.#worker = new TimedWorker(regexWorkerMain, { workerData, maxMemoryMb, timeoutMs: matchTimeoutMs });
  }

  /** Matches pieces of the shared memory; one request at a time. */
  match(request: MatchRequest): Promise<MatchResponse> {
    return this.#worker.request(
      request,
      () =>
        new Error(
          `The regular expression took more than 2 seconds for 1 MiB of text; simplify it: ${quoted(this.#pattern)}`,
        ),
    );
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#worker[Symbol.asyncDispose]();
  }
}
