import { internalError, RpcError } from '../../jsonrpc/error.ts';
import type { Id, JsonObject, Request } from '../../jsonrpc/message.ts';
import type { Revision } from '../../revisions/revision.ts';
import { answer } from './answer.ts';
import type { HostHandlers } from './host-handlers.ts';

/** The maximum number of concurrent requests of one server. */
const maxAtOnce = 32;

interface Running {
  readonly id: Id;
  readonly cancelled: AbortController;
}

/** The running requests of a server. The server may use the same id for several of them. */
export class HostRequests {
  readonly #host: HostHandlers;
  readonly #running = new Set<Running>();

  constructor(host: HostHandlers) {
    this.#host = host;
  }

  /** Answers a request that the server has sent as a message. */
  async answer(
    { id, method, params }: Request,
    revision: Revision | undefined,
    ended: AbortSignal,
  ): Promise<JsonObject> {
    if (method === 'ping') return {};
    // If the revision lacks this request, or no revision is agreed yet, `answer` without handlers refuses it.
    if (!revision?.clientRequests.has(method)) return answer({}, method, params, { signal: ended });
    if (this.#running.size >= maxAtOnce) {
      throw new RpcError(internalError, `Too many requests at once; expected at most ${maxAtOnce}`);
    }
    const cancelled = new AbortController();
    const running = { id, cancelled };
    this.#running.add(running);
    try {
      return await answer(this.#host, method, params, { signal: AbortSignal.any([cancelled.signal, ended]) });
    } finally {
      this.#running.delete(running);
    }
  }

  cancelled({ requestId, reason }: JsonObject): void {
    if (typeof requestId !== 'string' && typeof requestId !== 'number') return;
    const text = typeof reason === 'string' ? reason : 'The server has cancelled its request';
    for (const { id, cancelled } of this.#running) if (id === requestId) cancelled.abort(new Error(text));
  }
}
