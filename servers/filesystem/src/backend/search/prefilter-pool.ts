import { availableParallelism } from 'node:os';
import { PrefilterProcess } from './prefilter-process.ts';

/** More processes would wait for the same disk. */
const maxProcesses = Math.min(availableParallelism(), 4);

/**
 * The child processes that prefilter files, shared by all searches of a server. Idle ones end by themselves.
 */
export class PrefilterPool implements Disposable {
  readonly #processes = new Set<PrefilterProcess>();

  /** Starts another process, unless there are enough. */
  grow(): void {
    if (this.#processes.size === maxProcesses) return;
    const started: PrefilterProcess = new PrefilterProcess(() => this.#processes.delete(started));
    this.#processes.add(started);
  }

  /** The process with the fewest pending files; undefined where none is ready. */
  leastBusy(): PrefilterProcess | undefined {
    let least: PrefilterProcess | undefined;
    for (const each of this.#processes)
      if (each.isReady && each.pendingFiles < (least?.pendingFiles ?? Infinity)) least = each;
    return least;
  }

  [Symbol.dispose](): void {
    for (const each of this.#processes) each.end();
  }
}
