import type { RootsResponse } from '../../define/input.ts';
import { messageOf } from '../../jsonrpc/error.ts';
import { isObject } from '../../jsonrpc/message.ts';
import type { ClientRequests } from '../call/client-requests.ts';
import type { Outlet } from '../call/outlet.ts';
import type { Runtime, View } from '../runtime.ts';
import { SharedWatches } from '../watches/shared-watches.ts';

const answerTimeoutMs = 30_000;

/** The context for the roots of one client. Requests the roots when needed, and again after a change. */
export class ClientRoots {
  /** The server's own context and watches, until those for the client's roots are known. */
  view: View;
  readonly #runtime: Runtime;
  readonly #requests: ClientRequests;
  readonly #outlet: Outlet;
  readonly #warn: ((message: string) => void) | undefined;
  #outOfDate = true;
  #asking: Promise<void> | undefined;
  #failure: Error | undefined;

  constructor(
    runtime: Runtime,
    requests: ClientRequests,
    outlet: Outlet,
    warn: ((message: string) => void) | undefined,
  ) {
    this.view = runtime;
    this.#runtime = runtime;
    this.#requests = requests;
    this.#outlet = outlet;
    this.#warn = warn;
  }

  /**
   * The client's roots have changed. All changes during one `roots/list` request lead to one more request.
   */
  changed(): void {
    this.#outOfDate = true;
  }

  get outOfDate(): boolean {
    return this.#outOfDate;
  }

  /** Whether `view` is that of the client's newest answer. */
  get settled(): boolean {
    return !this.#outOfDate && !this.#asking && !this.#failure;
  }

  /** Resolves once `view` is up to date. Rejects where the server has no context for the client's roots. */
  async settle(): Promise<void> {
    while (this.#outOfDate || this.#asking) await (this.#asking ??= this.#askOnce());
    if (this.#failure) throw this.#failure;
  }

  async #askOnce(): Promise<void> {
    this.#outOfDate = false;
    this.#failure = undefined;
    try {
      const answer = await this.#ask();
      if (answer) await this.#follow(answer);
    } finally {
      this.#asking = undefined;
    }
  }

  /** The client's roots; undefined where it does not return them, and the previous ones stay in use. */
  async #ask(): Promise<RootsResponse['roots'] | undefined> {
    try {
      const { roots } = await this.#requests.ask('roots/list', undefined, {
        send: (text) => this.#outlet.notify(text),
        signal: new AbortController().signal,
        timeoutMs: answerTimeoutMs,
      });
      if (Array.isArray(roots)) return roots.map(rootIn);
      throw new Error('"roots" must be an array');
    } catch (error) {
      this.#warn?.(`Cannot get the client's roots: ${messageOf(error)}`);
      return undefined;
    }
  }

  // When the new context cannot be created, the client must not keep a wider one.
  async #follow(roots: RootsResponse['roots']): Promise<void> {
    await this.#runtime.load();
    const { context, server } = this.#runtime;
    try {
      const own = context && (await server.definition.contextFor?.(roots, context));
      if (own) this.view = { context: own, watches: new SharedWatches() };
    } catch (error) {
      this.#failure = new Error(`The client's roots cannot be used: ${messageOf(error)}`, { cause: error });
      this.#warn?.(this.#failure.message);
    }
  }
}

/**
 * A malformed root becomes one that no server can use, so that it narrows the list rather than being ignored.
 */
function rootIn(root: unknown): RootsResponse['roots'][number] {
  return isObject(root) && typeof root['uri'] === 'string' ? { ...root, uri: root['uri'] } : { uri: '' };
}
