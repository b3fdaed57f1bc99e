import { mkdtempSync, rmSync, writeFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Watcher, type Stop, type WatcherOptions, type WatchOptions } from '../src/index.ts';

// Only a failing test waits this long.
const timeoutMs = 8000;

/** A temporary directory, a watcher, and how to wait for its calls. */
export class Workspace {
  readonly root = mkdtempSync(join(realpathSync(tmpdir()), 'watch-'));
  readonly warnings: string[] = [];
  readonly watcher: Watcher;

  constructor(options: WatcherOptions = {}) {
    const warn = (message: string) => void this.warnings.push(message);
    this.watcher = new Watcher({ onWarning: warn, settleMs: 10, maxWaitMs: 100, pollMs: 10, ...options });
  }

  path(...names: string[]): string {
    return join(this.root, ...names);
  }

  async watch(path: string, options?: WatchOptions): Promise<Calls> {
    const calls = new Calls();
    calls.stop = await this.watcher.watch(path, calls.changed, options);
    return calls;
  }

  /**
   * Resolves when all earlier changes have been reported: a sentinel file is changed and reported twice,
   * because two reads that begin one after the other may end in the other order.
   */
  async quiet(directory = this.root): Promise<void> {
    const path = join(directory, 'sentinel');
    const sentinel = await this.watch(path);
    for (const text of ['one', 'two two']) await sentinel.after(() => writeFileSync(path, text));
    sentinel.stop();
    rmSync(path);
  }

  [Symbol.dispose](): void {
    this.watcher.close();
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** The calls of one watch. */
export class Calls {
  count = 0;
  stop: Stop = () => {};
  #waiting: (() => void)[] = [];

  readonly changed = (): void => {
    this.count++;
    for (const called of this.#waiting.splice(0)) called();
  };

  /** Runs `act` and resolves at the first call after it. */
  async after(act: () => void): Promise<void> {
    act();
    await inTime(new Promise<void>((called) => this.#waiting.push(called)), `No call after ${String(act)}`);
  }
}

/** Resolves as the promise does, or rejects after a timeout. */
export async function inTime<T>(promise: Promise<T>, complaint: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(complaint)), timeoutMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
