import { quoted } from '../display-name.ts';
import type { Opened } from './path-opener.ts';
import { Knocker } from './path-prober.ts';
import { isWithin, remoteMounts } from './network-mounts.ts';

/** How long a file system may take to answer. */
const patienceMs = 10_000;

/** How long one that did not is not asked again. */
const silentMs = 30_000;

/**
 * Keeps what may never answer (a file server that is gone, a file that is yet to come from a cloud) from stopping the
 * one thread that serves: another process touches it first.
 */
export class RemoteFiles {
  readonly #knocker: Knocker;
  readonly #directories: readonly string[];
  /** Mounts that did not answer, and until when nobody asks them. */
  readonly #silent = new Map<string, number>();

  /** `directories` by their real paths. */
  constructor(directories: readonly string[], patience = patienceMs) {
    this.#directories = directories;
    this.#knocker = new Knocker(patience);
  }

  /** Whether there is anything within the directories that may not answer. */
  get some(): boolean {
    const mounts = remoteMounts();
    return mounts.length > 0 && this.#mountsIn(mounts).length > 0;
  }

  /** Whether a path is in a mount that did not answer lately. */
  isSilent(path: string): boolean {
    if (this.#silent.size === 0) return false;
    for (const [mount, until] of this.#silent) {
      if (until < performance.now()) this.#silent.delete(mount);
      else if (isWithin(path, mount)) return true;
    }
    return false;
  }

  /** Resolves when a path answers, and throws when it takes too long. */
  async reach(path: string, asked: string): Promise<void> {
    if (this.isSilent(path)) throw silent(asked);
    if (await this.#knocker.knock('stat', path)) return;
    for (const mount of remoteMounts()) if (isWithin(path, mount)) this.#keepSilent(mount);
    throw silent(asked);
  }

  /** The same for what is in an open file. */
  async reachContent({ base }: Opened, asked: string): Promise<void> {
    const path = base.replace('/proc/self/', `/proc/${process.pid}/`);
    if (!(await this.#knocker.knock('read', path))) throw silent(asked);
  }

  /** Finds out which mounts beneath a path do not answer. */
  async reachAll(path: string): Promise<void> {
    const beneath = this.#mountsIn(remoteMounts()).filter((mount) => mount !== path && isWithin(mount, path));
    const asking = beneath.map(async (mount) => {
      if (!this.isSilent(mount) && !(await this.#knocker.knock('stat', mount))) this.#keepSilent(mount);
    });
    await Promise.all(asking);
  }

  close(): void {
    this.#knocker.close();
  }

  #keepSilent(mount: string): void {
    this.#silent.set(mount, performance.now() + silentMs);
  }

  #mountsIn(mounts: readonly string[]): string[] {
    return mounts.filter((mount) =>
      this.#directories.some((directory) => isWithin(mount, directory) || isWithin(directory, mount)),
    );
  }
}

export function silent(asked: string): Error {
  return new Error(`Does not answer in time: ${quoted(asked)}`);
}
