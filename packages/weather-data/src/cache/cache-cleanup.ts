import { opendir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';

export interface CacheCleanupOptions {
  readonly directory: string;
  readonly now: () => number;
}

const maxFiles = 5_000;
const writesPerCleanup = 200;
const hourMs = 3_600_000;
const monthMs = 30 * 86_400_000;
/** How many files are examined at the same time: few enough that the thread pool can still serve answers. */
const maxConcurrentFiles = 64;

/** Deletes cache files that are a month old, and the oldest files if there are too many. */
export class CacheCleanup {
  readonly #options: CacheCleanupOptions;
  #writes = 0;
  #running: Promise<void> | undefined;

  constructor(options: CacheCleanupOptions) {
    this.#options = options;
  }

  /** Counts a written file. The first file, and then every 200th, starts a cleanup in the background. */
  written(): void {
    if (this.#writes++ % writesPerCleanup !== 0) return;
    this.#running ??= this.#run()
      .catch(() => {})
      .finally(() => (this.#running = undefined));
  }

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
      // Other files are not deleted: those of other programs, and invalid cache files, which were renamed to
      // names that end with `.corrupt-1` and so on.
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

/** Deletes a file. Errors are ignored, because another process may already have deleted the file. */
async function remove(path: string): Promise<void> {
  await unlink(path).catch(() => {});
}
