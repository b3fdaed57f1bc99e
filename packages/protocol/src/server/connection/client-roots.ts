import type { RootsResponse } from '../../define/input.ts';
import { messageOf } from '../../jsonrpc/error.ts';
import { isObject, type JsonObject } from '../../jsonrpc/message.ts';
import type { ClientRequests } from '../call/client-requests.ts';
import type { Outlet } from '../call/outlet.ts';
import type { Runtime, View } from '../runtime.ts';
import { SharedWatches } from '../watches/shared-watches.ts';

const answerTimeoutMs = 30_000;

/** Keeps to the directories that a client works in: asks for them when they are needed, and again when they change. */
export class FollowedRoots {
  /** What the server shares with everyone, until something else is known. */
  view: View;
  /** Whether `view` is what the client's newest answer makes. */
  settled = false;
  readonly #runtime: Runtime;
  readonly #requests: ClientRequests;
  readonly #outlet: Outlet;
  readonly #warn: ((message: string) => void) | undefined;
  #asking: Promise<void> | undefined;

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

  /** What is known is out of date. */
  changed(): void {
    this.settled = false;
    this.#asking = undefined;
  }

  /** Resolves once `view` is up to date, or cannot be brought up to date. */
  async settle(): Promise<void> {
    while (!this.settled) {
      const asking = (this.#asking ??= this.#ask());
      await asking;
      // It may be out of date again by now.
      if (this.#asking === asking) this.settled = true;
    }
  }

  async #ask(): Promise<void> {
    try {
      const answer = await this.#requests.ask('roots/list', undefined, {
        send: (text) => this.#outlet.notify(text),
        signal: new AbortController().signal,
        timeoutMs: answerTimeoutMs,
      });
      await this.#runtime.load();
      const { context, server } = this.#runtime;
      const own = context && server.definition.contextFor?.(rootsIn(answer), context);
      if (own) this.view = { context: await own, watches: new SharedWatches() };
    } catch (error) {
      // What was known before stays: it was never wider than the server itself.
      this.#warn?.(`The client's roots cannot be had: ${messageOf(error)}`);
    }
  }
}

function rootsIn({ roots }: JsonObject): RootsResponse['roots'] {
  if (!Array.isArray(roots)) throw new Error('The answer to roots/list cannot be read');
  // A malformed root is passed on as one that no server can use, so that it narrows rather than being ignored.
  return roots.map((root) =>
    isObject(root) && typeof root['uri'] === 'string' ? { ...root, uri: root['uri'] } : { uri: '' },
  );
}
