import { randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { codeOf, KeyedQueue, messageOf, quoted } from '@mcp/kit';
import { replaceFile, withFileLock } from '@mcp/kit/node';
import { VerifierUnavailable } from '@mcp/protocol/http';
import { parseState, type State } from './state.ts';

/** The state in a file that several processes of one server may read and change. */
export class StateFile {
  readonly path: string;
  readonly #url: string;
  readonly #queue = new KeyedQueue();
  #cached: { readonly version: string; readonly state: State } | undefined;

  /** @param url the URL of the server; a file of another server is refused */
  constructor(path: string, url: string) {
    this.path = path;
    this.#url = url;
  }

  /** The current state, which the caller must not change. Throws a `VerifierUnavailable` if it cannot. */
  async read(): Promise<State> {
    try {
      const version = await this.#version();
      if (this.#cached?.version === version) return this.#cached.state;
      const state = await this.#load();
      this.#cached = { version, state };
      return state;
    } catch (error) {
      throw unavailable(error);
    }
  }

  /**
   * Calls `change` with the current state, alone among all processes, and writes the state that it has
   * changed. Returns its result when the state is on the disk. Throws a `VerifierUnavailable` if it cannot.
   */
  change<Result>(change: (state: State) => Result): Promise<Result> {
    return this.#queue.run('', () =>
      withFileLock(`${this.path}.lock`, async (notLocked) => {
        try {
          // Without the lock, two processes could each exchange the same code.
          if (notLocked !== undefined) throw notLocked;
          const state = await this.#load();
          const before = JSON.stringify(state);
          const result = change(state);
          const text = JSON.stringify(state);
          if (text !== before) await replaceFile(this.path, text);
          return result;
        } catch (error) {
          throw unavailable(error);
        }
      }),
    );
  }

  /** Identifies the content: every change makes a new file. */
  async #version(): Promise<string> {
    try {
      const { ino, mtimeNs, size } = await stat(this.path, { bigint: true });
      return `${ino} ${mtimeNs} ${size}`;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return 'missing';
      throw error;
    }
  }

  async #load(): Promise<State> {
    let text: string;
    try {
      text = await readFile(this.path, 'utf8');
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return emptyState(this.#url);
      throw error;
    }
    const state = parseState(text);
    if (!state)
      throw new Error(
        `The file ${quoted(this.path)} is damaged; delete it to start without it: all clients must then log in again`,
      );
    if (state.url !== this.#url)
      throw new Error(
        `The file ${quoted(this.path)} belongs to the server at ${quoted(state.url)}; use another file for ${quoted(this.#url)}, or delete this one: its clients must then log in again`,
      );
    return state;
  }
}

function emptyState(url: string): State {
  return { version: 1, url, key: randomBytes(32).toString('base64url'), clients: [], grants: [] };
}

function unavailable(error: unknown): VerifierUnavailable {
  return new VerifierUnavailable(messageOf(error), { cause: error });
}
