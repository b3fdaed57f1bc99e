import type { Channel } from './channel.ts';
import { ConnectionClosed, internalError, invalidRequest, messageOf, RpcError } from './error.ts';
import {
  classify,
  errorText,
  type Id,
  type JsonObject,
  type Notification,
  notificationText,
  parse,
  type Request,
  requestText,
  resultText,
} from './message.ts';
import { PendingRequests } from './pending-requests.ts';

export interface PeerHandlers {
  /** Answers a request of the other side; throws an {@link RpcError} to refuse it. */
  request(request: Request): Promise<JsonObject>;
  notification(notification: Notification): void;
  /** The other side is gone. */
  closed(): void;
  /** Something came that nobody waits for. */
  warn(message: string): void;
}

/** One end of a JSON-RPC conversation that asks more than it answers, as a client does. */
export class Peer {
  readonly #channel: Channel;
  readonly #handlers: PeerHandlers;
  readonly #pending = new PendingRequests();

  constructor(channel: Channel, handlers: PeerHandlers) {
    this.#channel = channel;
    this.#handlers = handlers;
    channel.open({
      message: (text) => this.#receive(text),
      malformed: (error) => handlers.warn(error.message),
      ended: (reason) => {
        this.#pending.close(reason === undefined ? undefined : new ConnectionClosed(reason));
        handlers.closed();
      },
    });
  }

  /** Sends a request; `params` may depend on the id it gets. */
  request(method: string, params: (id: Id) => JsonObject): { id: Id; result: Promise<JsonObject> } {
    return this.#pending.open((id) => this.#channel.send(requestText(id, method, params(id))));
  }

  notify(method: string, params?: JsonObject): void {
    this.#channel.send(notificationText(method, params));
  }

  /** Stops waiting for a response. */
  abandon(id: Id, reason: unknown): void {
    this.#pending.abandon(id, reason);
  }

  async close(): Promise<void> {
    this.#pending.close(new ConnectionClosed('The connection was closed on this side'));
    await this.#channel.close();
  }

  #receive(text: string): void {
    let value: unknown;
    try {
      value = parse(text);
    } catch (error) {
      return this.#handlers.warn(messageOf(error));
    }
    for (const item of Array.isArray(value) ? value : [value]) this.#receiveOne(item);
  }

  #receiveOne(value: unknown): void {
    const message = classify(value);
    switch (message.kind) {
      case 'request':
        return void this.#answer(message.request);
      case 'notification':
        return this.#tell(message.notification);
      case 'response':
        if (this.#pending.settle(message.response)) return;
        return this.#handlers.warn(
          `A response to nothing that was asked: ${JSON.stringify(message.response).slice(0, 200)}`,
        );
      case 'invalid':
        return this.#refuse(invalidRequest, message.reason, message.id);
    }
  }

  // A listener that throws has made a mistake of its own; what came after this message is still delivered.
  #tell(notification: Notification): void {
    try {
      this.#handlers.notification(notification);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  // Answering what cannot be read could go on forever between two such sides.
  #refuse(code: number, message: string, id?: Id): void {
    if (id === undefined) this.#handlers.warn(message);
    else this.#channel.send(errorText(id, { code, message }));
  }

  async #answer(request: Request): Promise<void> {
    try {
      const result = await this.#handlers.request(request);
      this.#channel.send(resultText(request.id, JSON.stringify(result)));
    } catch (error) {
      const known = error instanceof RpcError ? error : { code: internalError, message: messageOf(error) };
      this.#channel.send(errorText(request.id, known));
    }
  }
}
