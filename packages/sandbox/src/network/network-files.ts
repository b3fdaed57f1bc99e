import { quoted } from '@mcp/kit';
import type { OpenedPath } from '../open/path-opener.ts';
import { PathProber } from './path-prober.ts';
import { isInside, networkMounts } from './network-mounts.ts';

/** Milliseconds that a file system may take to respond. */
const defaultTimeoutMs = 10_000;

/** Milliseconds during which a mount that did not respond is refused without another probe. */
const retryAfterMs = 30_000;

/**
 * Protects the server's thread from file systems that may block, as an unreachable file server or a cloud
 * file that is not downloaded: a child process accesses a path first, the server only after its response.
 */
export class NetworkFiles {
  readonly #prober: PathProber;
  readonly #directories: readonly string[];
  /** Unresponsive mounts, each with the time (of `performance.now()`) until which its paths are refused. */
  readonly #unresponsive = new Map<string, number>();

  /** @param directories real paths */
  constructor(directories: readonly string[], timeoutMs = defaultTimeoutMs) {
    this.#directories = directories;
    this.#prober = new PathProber(timeoutMs);
  }

  /** Whether an allowed directory contains a file system that may block, or is on such a file system. */
  get any(): boolean {
    const mounts = networkMounts();
    return mounts.length > 0 && this.#mountsIn(mounts).length > 0;
  }

  /** Whether a path is in a mount that failed to respond recently. */
  isUnresponsive(path: string): boolean {
    if (this.#unresponsive.size === 0) return false;
    for (const [mount, until] of this.#unresponsive) {
      if (until < performance.now()) this.#unresponsive.delete(mount);
      else if (isInside(path, mount)) return true;
    }
    return false;
  }

  /** Resolves when a path responds; throws after the timeout. */
  async waitFor(path: string, requestedPath: string): Promise<void> {
    if (this.isUnresponsive(path)) throw unresponsiveError(requestedPath);
    if (await this.#prober.probe('stat', path)) return;
    for (const mount of networkMounts()) if (isInside(path, mount)) this.#markUnresponsive(mount);
    throw unresponsiveError(requestedPath);
  }

  /** Resolves when the content of an open file can be read; throws after the timeout. */
  async waitForContent({ base }: OpenedPath, requestedPath: string): Promise<void> {
    const path = base.replace('/proc/self/', `/proc/${process.pid}/`);
    if (!(await this.#prober.probe('read', path))) throw unresponsiveError(requestedPath);
  }

  /** Probes the mounts inside a path and marks those that do not respond. */
  async probeMounts(path: string): Promise<void> {
    const mounts = this.#mountsIn(networkMounts()).filter((mount) => mount !== path && isInside(mount, path));
    const probes = mounts.map(async (mount) => {
      if (!this.isUnresponsive(mount) && !(await this.#prober.probe('stat', mount)))
        this.#markUnresponsive(mount);
    });
    await Promise.all(probes);
  }

  close(): void {
    this.#prober.close();
  }

  #markUnresponsive(mount: string): void {
    this.#unresponsive.set(mount, performance.now() + retryAfterMs);
  }

  #mountsIn(mounts: readonly string[]): string[] {
    return mounts.filter((mount) =>
      this.#directories.some((directory) => isInside(mount, directory) || isInside(directory, mount)),
    );
  }
}

export function unresponsiveError(requestedPath: string): Error {
  return new Error(`The file system does not respond; try again later: ${quoted(requestedPath)}`);
}
