import { isObject, messageOf } from '@mcp/kit';
import type { RootsResponse } from '../../define/input/input.ts';
import type { ClientRequests } from '../call/client-requests.ts';
import type { Outlet } from '../call/outlet.ts';
import type { Runtime, View } from '../runtime.ts';
import { SharedWatches } from '../watches/shared-watches.ts';

const answerTimeoutMs = 30_000;

/** The context for the roots of one client. Requests the roots when needed, and again after a change. */
export class ClientRoots {
  /**
   * The context for the client's roots, and the resource watches that were started with it; those of the
   * server (`runtime`) until the roots are known.
   */
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

  /** Called when the client's roots have changed; a `roots/list` request under way is then sent once more. */
  changed(): void {
    this.#outOfDate = true;
  }

  get outOfDate(): boolean {
    return this.#outOfDate;
  }

  /** Whether `view` has the context for the client's newest roots. */
  get settled(): boolean {
    return !this.#outOfDate && !this.#asking && !this.#failure;
  }

  /**
   * Resolves once `view` has the context for the client's newest roots. Rejects if `contextFor` fails. The
   * question to the client goes to `outlet`; default: the outlet of the conversation.
   */
  async settle(outlet = this.#outlet): Promise<void> {
    while (this.#outOfDate || this.#asking) await (this.#asking ??= this.#askOnce(outlet));
    if (this.#failure) throw this.#failure;
  }

  async #askOnce(outlet: Outlet): Promise<void> {
    this.#outOfDate = false;
    this.#failure = undefined;
    try {
      const answer = await this.#ask(outlet);
      if (answer) await this.#follow(answer);
    } finally {
      this.#asking = undefined;
    }
  }

  /** Requests the roots; undefined if the client does not return any: the former roots stay in use. */
  async #ask(outlet: Outlet): Promise<RootsResponse['roots'] | undefined> {
    try {
      const { roots } = await this.#requests.ask('roots/list', undefined, {
        send: (text) => outlet.notify(text),
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

  // Without the new context, requests fail: the former context could allow more than the new roots do.
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
 * Replaces a malformed root by a root with an empty URI, which allows nothing. It is not left out, because a
 * server could take an empty list of roots as permission for everything.
 */
function rootIn(root: unknown): RootsResponse['roots'][number] {
  return isObject(root) && typeof root['uri'] === 'string' ? { ...root, uri: root['uri'] } : { uri: '' };
}
