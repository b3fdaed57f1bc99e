import { internalError, RpcError } from '../../jsonrpc/error.ts';
import type { Id, JsonObject, Request } from '../../jsonrpc/message.ts';
import type { Revision } from '../../revisions/revision.ts';
import { answer } from './answer.ts';
import type { Host } from './host.ts';

/** The maximum number of concurrent requests of one server. */
const maxAtOnce = 32;

/** The running requests of a server. */
export class HostRequests {
  readonly #host: Host;
  readonly #running = new Map<Id, AbortController>();

  constructor(host: Host) {
    this.#host = host;
  }

  /** Answers a request, at a revision in which servers send requests. */
  async answer(
    { id, method, params }: Request,
    revision: Revision | undefined,
    ended: AbortSignal,
  ): Promise<JsonObject> {
    if (method === 'ping') return {};
    // Before the end of the handshake no capabilities are declared.
    if (!revision?.clientRequests.has(method)) return answer({}, method, params, { signal: ended });
    if (this.#running.size >= maxAtOnce) {
      throw new RpcError(internalError, `Too many requests at once; expected at most ${maxAtOnce}`);
    }
    const cancelled = new AbortController();
    this.#running.set(id, cancelled);
    try {
      return await answer(this.#host, method, params, { signal: AbortSignal.any([cancelled.signal, ended]) });
    } finally {
      if (this.#running.get(id) === cancelled) this.#running.delete(id);
    }
  }

  /** Handles a `notifications/cancelled`. */
  cancelled({ requestId, reason }: JsonObject): void {
    if (typeof requestId !== 'string' && typeof requestId !== 'number') return;
    const text = typeof reason === 'string' ? reason : 'The server has cancelled its request';
    this.#running.get(requestId)?.abort(new Error(text));
  }
}
