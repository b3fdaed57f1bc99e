import { internalError, RpcError } from '../../jsonrpc/error.ts';
import type { Id, JsonObject, Request } from '../../jsonrpc/message.ts';
import type { Revision } from '../../revisions/revision.ts';
import { answer } from './answer.ts';
import type { Host } from './host.ts';

/** Requests of one server that its host works on at once. */
const maxAtOnce = 32;

/** The requests of a server that its host works on. */
export class HostRequests {
  readonly #host: Host;
  readonly #running = new Map<Id, AbortController>();

  constructor(host: Host) {
    this.#host = host;
  }

  /** Answers a request of a revision in which servers send them. */
  async answer(
    { id, method, params }: Request,
    revision: Revision | undefined,
    ended: AbortSignal,
  ): Promise<JsonObject> {
    if (method === 'ping') return {};
    // Before the handshake is done a server has no capabilities to go by.
    if (!revision?.clientRequests.has(method)) return answer({}, method, params, { signal: ended });
    if (this.#running.size >= maxAtOnce) {
      throw new RpcError(internalError, `This client works on ${maxAtOnce} requests at once, and no more`);
    }
    const cancelled = new AbortController();
    this.#running.set(id, cancelled);
    try {
      return await answer(this.#host, method, params, { signal: AbortSignal.any([cancelled.signal, ended]) });
    } finally {
      if (this.#running.get(id) === cancelled) this.#running.delete(id);
    }
  }

  /** Takes a `notifications/cancelled`. */
  cancelled({ requestId, reason }: JsonObject): void {
    if (typeof requestId !== 'string' && typeof requestId !== 'number') return;
    const text = typeof reason === 'string' ? reason : 'The server has cancelled its request';
    this.#running.get(requestId)?.abort(new Error(text));
  }
}
