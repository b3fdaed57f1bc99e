import { resolve } from 'node:path';
import { Route } from './symlink-chain.ts';
import { Settle, type Settling } from './debounce.ts';
import type { Folders } from './directory-registry.ts';
import type { Identity } from './identity.ts';
import type { DirectoryEvent } from './watch-directory.ts';

interface WatchParts {
  path: string;
  changed: () => void | Promise<void>;
  identity: Identity;
  folders: Folders;
  settling: Settling;
  warn: (message: string) => void;
}

/** One watched path: hears of what may be a change, compares, and tells only of what is one. */
export class Watch {
  readonly #path: string;
  readonly #changed: () => void | Promise<void>;
  readonly #identity: Identity;
  readonly #warn: (message: string) => void;
  readonly #route: Route;
  readonly #settle: Settle;
  #last: string | undefined;
  #heard = false;
  #stopped = false;

  constructor({ path, changed, identity, folders, settling, warn }: WatchParts) {
    this.#path = resolve(path);
    this.#changed = changed;
    this.#identity = identity;
    this.#warn = warn;
    this.#settle = new Settle(() => this.#check(), settling);
    this.#route = new Route(this.#path, folders, {
      heard: (event) => this.#hear(event),
      direct: true,
      inside: true,
    });
  }

  /** Resolves when no later change can be missed. */
  async arm(): Promise<void> {
    await this.#route.ready();
    // Whatever came before is seen by the first look.
    this.#heard = false;
    await this.#route.follow();
    await this.#route.ready();
    this.#last = await this.#identify();
    if (this.#heard && !this.#stopped) this.#settle.poke();
  }

  stop(): void {
    this.#stopped = true;
    this.#settle.stop();
    this.#route.close();
  }

  #hear(event?: DirectoryEvent) {
    this.#heard = true;
    if (this.#last !== undefined && !this.#stopped) this.#settle.poke({ quiet: !event });
  }

  async #check() {
    await this.#route.follow();
    const identity = await this.#identify();
    if (this.#stopped || identity === this.#last) return;
    this.#last = identity;
    await this.#tell();
  }

  async #identify() {
    try {
      return `is ${await this.#identity(this.#path)}`;
    } catch (error) {
      return `failed ${String(error)}`;
    }
  }

  async #tell() {
    try {
      await this.#changed();
    } catch (error) {
      this.#warn(`Failed to handle a change of "${this.#path}": ${String(error)}`);
    }
  }
}
