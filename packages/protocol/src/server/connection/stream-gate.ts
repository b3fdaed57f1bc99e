import { within } from '@mcp/kit';
import { invalidParams, RpcError } from '../../jsonrpc/error.ts';
import type { Outlet } from '../call/outlet.ts';

/** Milliseconds that a subscription waits for the stream of its notifications. */
const waitMs = 2_000;

export const oneProcess = 'route the requests of a session to one process';

/** Refuses subscriptions while this process could not send their notifications. */
export class StreamGate {
  readonly #outlet: Pick<Outlet, 'congested' | 'drained'>;
  #opened: Promise<void> | undefined;

  /** `outlet` counts as congested while it has no stream. */
  constructor(outlet: Pick<Outlet, 'congested' | 'drained'>) {
    this.#outlet = outlet;
  }

  /** Undefined if the stream is open. Resolves if it opens soon; rejects with an `RpcError` otherwise. */
  pass(): Promise<void> | undefined {
    return this.#outlet.congested ? this.#wait() : undefined;
  }

  async #wait(): Promise<void> {
    this.#opened ??= within(waitMs, this.#outlet.drained()).finally(() => {
      this.#opened = undefined;
    });
    await this.#opened;
    if (this.#outlet.congested)
      throw new RpcError(
        invalidParams,
        `Cannot subscribe: the stream for notifications is not open in this process; open it, and ${oneProcess}`,
      );
  }
}
