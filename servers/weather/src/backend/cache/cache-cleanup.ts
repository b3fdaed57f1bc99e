import { opendir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';

export interface SweeperOptions {
  readonly directory: string;
  /** Files that may stay. */
  readonly most?: number;
  readonly now: () => number;
}

const everyWrites = 200;
const hourMs = 3_600_000;
const monthMs = 30 * 86_400_000;
/** Files that are looked at together: enough to be quick, few enough to leave room for answers. */
const atOnce = 64;

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
    const look = async (path: string) => {
      const time = await stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => undefined,
      );
      if (time === undefined) return;
      const old = now() - time > (path.endsWith('.tmp') ? hourMs : monthMs);
      if (old) await remove(path);
      else if (path.endsWith('.json')) kept.push({ path, time });
    };
    let some: string[] = [];
    for await (const { name } of await opendir(directory)) {
      // What is not ours, and what was set aside, stays.
      if (!/\.(?:json|tmp)$/.test(name)) continue;
      some.push(join(directory, name));
      if (some.length < atOnce) continue;
      await Promise.all(some.map(look));
      some = [];
    }
    await Promise.all(some.map(look));

    const oldest = kept.toSorted((a, b) => a.time - b.time).slice(0, Math.max(0, kept.length - most));
    for (let at = 0; at < oldest.length; at += atOnce) {
      await Promise.all(oldest.slice(at, at + atOnce).map(({ path }) => remove(path)));
    }
  }
}

/** Another process may have been faster. */
async function remove(path: string): Promise<void> {
  await unlink(path).catch(() => {});
}
