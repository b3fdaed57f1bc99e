import { opendir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';

export interface CacheCleanupOptions {
  readonly directory: string;
  readonly now: () => number;
}

/** Maximum number of files that are kept. */
const maxFiles = 5_000;
const writesPerCleanup = 200;
const hourMs = 3_600_000;
const monthMs = 30 * 86_400_000;
/** Files that are examined at the same time: few enough to leave threads for answers. */
const maxConcurrentFiles = 64;

/** Limits the size of the cache: deletes files that are a month old, and the oldest of too many. */
export class CacheCleanup {
  readonly #options: CacheCleanupOptions;
  #writes = 0;
  #running: Promise<void> | undefined;

  constructor(options: CacheCleanupOptions) {
    this.#options = options;
  }

  /** Counts a written file. Starts a cleanup in the background at the first one, and then after every 200. */
  written(): void {
    if (this.#writes++ % writesPerCleanup !== 0) return;
    this.#running ??= this.#run()
      .catch(() => {})
      .finally(() => (this.#running = undefined));
  }

  /** Resolves when no cleanup is running. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /** Deletes expired and surplus files now. */
  async #run(): Promise<void> {
    const { directory, now } = this.#options;
    const kept: { path: string; time: number }[] = [];
    const examine = async (path: string) => {
      const time = await stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => undefined,
      );
      if (time === undefined) return;
      const old = now() - time > (path.endsWith('.tmp') ? hourMs : monthMs);
      if (old) await remove(path);
      else if (path.endsWith('.json')) kept.push({ path, time });
    };
    let batch: string[] = [];
    for await (const { name } of await opendir(directory)) {
      // Files of other programs and quarantined files are not deleted.
      if (!/\.(?:json|tmp)$/.test(name)) continue;
      batch.push(join(directory, name));
      if (batch.length < maxConcurrentFiles) continue;
      await Promise.all(batch.map(examine));
      batch = [];
    }
    await Promise.all(batch.map(examine));

    const oldest = kept.toSorted((a, b) => a.time - b.time).slice(0, Math.max(0, kept.length - maxFiles));
    for (let at = 0; at < oldest.length; at += maxConcurrentFiles) {
      await Promise.all(oldest.slice(at, at + maxConcurrentFiles).map(({ path }) => remove(path)));
    }
  }
}

/** Deletes a file; another process may have deleted it already. */
async function remove(path: string): Promise<void> {
  await unlink(path).catch(() => {});
}
