import { quoted } from '@mcp/kit';
import type { AllowedDirectories } from './allowed-directories.ts';
import { toPathError, type Noun } from '../errors.ts';
import { kindOf } from '../file-kind.ts';
import type { NetworkFiles } from '../network/network-files.ts';
import type { OpenedPath } from '../open/path-opener.ts';

/** Opens paths for operations and closes them. First waits until a network file system responds. */
export class PathAccess {
  readonly #allowed: AllowedDirectories;
  readonly #networkFiles: NetworkFiles;

  constructor(allowed: AllowedDirectories, networkFiles: NetworkFiles) {
    this.#allowed = allowed;
    this.#networkFiles = networkFiles;
  }

  /** Waits until a path on a network file system responds; `recursive` also probes mounts inside it. */
  async waitFor(path: string, recursive = false): Promise<void> {
    if (!this.#networkFiles.any) return;
    const lexicalPath = this.#allowed.lexicalPath(path);
    await this.#networkFiles.waitFor(lexicalPath, path);
    if (recursive) await this.#networkFiles.probeMounts(lexicalPath);
  }

  /** Runs an operation with a regular file. Throws if the path is not a regular file. */
  withFile<Result>(path: string, use: (opened: OpenedPath) => Result): Result | Promise<Awaited<Result>> {
    return this.with(path, 'file', (opened) => {
      if (opened.stats.isDirectory()) throw new Error(`Is a directory, not a file: ${quoted(path)}`);
      refuseSpecial(opened, path);
      return use(opened);
    });
  }

  /** Runs an operation with a directory. Throws if the path is not a directory. */
  withDirectory<Result>(
    path: string,
    use: (opened: OpenedPath) => Promise<Result>,
  ): Promise<Result | Awaited<Result>> {
    return this.with(path, 'directory', async (opened) => {
      if (!opened.stats.isDirectory()) throw new Error(`Not a directory: ${quoted(path)}`);
      return use(opened);
    });
  }

  /** Runs an operation with the entry at a path; `noun` is the word for the entry in errors. */
  with<Result>(
    path: string,
    noun: Noun,
    use: (opened: OpenedPath) => Result,
  ): Result | Promise<Awaited<Result>> {
    return this.#networkFiles.any ? this.#withNetwork(path, noun, use) : this.#withLocal(path, noun, use);
  }

  async #withNetwork<Result>(
    path: string,
    noun: Noun,
    use: (opened: OpenedPath) => Result,
  ): Promise<Awaited<Result>> {
    await this.waitFor(path);
    return await this.#withLocal(path, noun, async (opened) => {
      if (opened.stats.isFile()) await this.#networkFiles.waitForContent(opened, path);
      return await use(opened);
    });
  }

  /** Returns no promise if `use` returns none, so that a small read costs no extra turn of the event loop. */
  #withLocal<Result>(path: string, noun: Noun, use: (opened: OpenedPath) => Result): Result {
    const opened = this.#allowed.open(path, noun, noun === 'file');
    try {
      const result = use(opened);
      if (!(result instanceof Promise)) {
        opened.close();
        return result;
      }
      const closed = result.then(
        (value) => (opened.close(), value),
        (error) => {
          opened.close();
          throw toPathError(error, path, noun);
        },
      );
      return closed as Result;
    } catch (error) {
      opened.close();
      throw toPathError(error, path, noun);
    }
  }
}

/** Throws unless the path is a regular file: a FIFO, a socket or a device may block its reader. */
export function refuseSpecial({ stats }: OpenedPath, path: string): void {
  if (!stats.isFile()) throw new Error(`Not a regular file but a ${kindOf(stats)}: ${quoted(path)}`);
}
