import { opendir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface SweeperOptions {
  readonly directory: string;
  /** Files that may stay. */
  readonly most?: number;
  readonly now: () => number;
}

const everyWrites = 200;
const monthMs = 30 * 86_400_000;

/** Keeps the cache from growing without end: deletes what nobody wrote for a month, then the oldest beyond a number. */
export class Sweeper {
  readonly #options: SweeperOptions;
  #writes = 0;
  #sweeping: Promise<void> | undefined;

  constructor(options: SweeperOptions) {
    this.#options = options;
  }

  /** Counts a written file; every now and then the directory is looked through, in the background. */
  written(): void {
    if (this.#writes++ % everyWrites !== 0) return;
    this.#sweeping ??= this.sweep()
      .catch(() => {})
      .finally(() => (this.#sweeping = undefined));
  }

  /** Resolves when what is being swept is done. */
  async idle(): Promise<void> {
    await this.#sweeping;
  }

  async sweep(): Promise<void> {
    const { directory, most = 5_000, now } = this.#options;
    const kept: { path: string; time: number }[] = [];
    for await (const { name } of await opendir(directory)) {
      // What is not ours, and what was set aside, stays.
      if (!/\.(?:json|tmp)$/.test(name)) continue;
      const path = join(directory, name);
      const time = await stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => undefined,
      );
      if (time === undefined) continue;
      const old = now() - time > (name.endsWith('.tmp') ? 3_600_000 : monthMs);
      if (old) await rm(path, { force: true });
      else if (name.endsWith('.json')) kept.push({ path, time });
    }
    if (kept.length <= most) return;
    const oldest = kept.toSorted((a, b) => a.time - b.time).slice(0, kept.length - most);
    for (const { path } of oldest) await rm(path, { force: true });
  }
}
