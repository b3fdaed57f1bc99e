import { resolve } from 'node:path';
import { ComparedValue } from './compared-value.ts';
import { SymlinkChain } from './symlink-chain.ts';
import type { DebounceOptions } from './debounce.ts';
import type { Directories } from './directory-listener.ts';
import type { Identity } from './identity.ts';

interface WatchParts {
  path: string;
  changed: () => void | Promise<void>;
  identity: Identity;
  directories: Directories;
  debounce: DebounceOptions;
  warn: (message: string) => void;
}

/**
 * Watches one path. After each event of the path, or of a directory or symbolic link on the way to it,
 * compares the identity of the path with the last one.
 */
export class Watch {
  readonly #path: string;
  readonly #identity: Identity;
  readonly #chain: SymlinkChain;
  readonly #value: ComparedValue;

  constructor({ path, changed, identity, directories, debounce, warn }: WatchParts) {
    this.#path = resolve(path);
    this.#identity = identity;
    this.#value = new ComparedValue({
      read: () => this.#read(),
      changed,
      changeFailed: (error) => warn(`Failed to handle a change of "${this.#path}": ${String(error)}`),
      debounce,
    });
    this.#chain = new SymlinkChain(this.#path, directories, {
      listener: (event) => this.#value.trigger({ certain: event !== undefined }),
      direct: true,
      contents: true,
    });
  }

  /** Starts to watch. Resolves once every later change will be noticed. */
  async arm(): Promise<void> {
    await this.#chain.ready();
    await this.#chain.follow();
    await this.#chain.ready();
    await this.#value.start();
  }

  stop(): void {
    this.#value.stop();
    this.#chain.close();
  }

  async #read(): Promise<string> {
    await this.#chain.follow();
    try {
      return `is ${await this.#identity(this.#path)}`;
    } catch (error) {
      return `failed ${String(error)}`;
    }
  }
}
