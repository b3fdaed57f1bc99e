import { pause } from '../../packages/kit/src/index.ts';
import type { Context } from './context.ts';
import { Exchange, Lost, type Received } from './exchange.ts';
import type { Replica } from './replica.ts';

export const version = '2025-11-25';

/** What a client sends. */
export interface Request {
  /** Undefined before the session. */
  readonly session: string | undefined;
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly message?: object;
  /** Default: any. */
  readonly replica?: Replica;
  readonly lastEventId?: string;
}

/** The requests of one client, each on a connection of its own. */
export class Sender {
  readonly #context: Context;
  readonly #exchanges = new Set<Exchange>();

  constructor(context: Context) {
    this.#context = context;
  }

  send({ session, method, message, replica, lastEventId }: Request): Exchange {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session !== undefined && { 'mcp-session-id': session, 'mcp-protocol-version': version }),
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    };
    const body = message && JSON.stringify({ jsonrpc: '2.0', ...message });
    const sent = { method, headers, ...(body && { body }) };
    const exchange = new Exchange(this.#context.world, replica ?? this.#context.anyReplica(), sent);
    this.#exchanges.add(exchange);
    return exchange;
  }

  /** Sends what `request` returns until there is a reply that does not say to try again. */
  async sendUntilAnswered(request: () => Request): Promise<Received> {
    for (;;) {
      try {
        const reply = await this.send(request()).reply;
        if (reply.status !== 503) return reply;
      } catch (error) {
        if (!(error instanceof Lost)) throw error;
      }
      await pause(100);
    }
  }

  /** Loses all connections. */
  hangUp(): void {
    for (const exchange of this.#exchanges) exchange.cut();
  }
}
