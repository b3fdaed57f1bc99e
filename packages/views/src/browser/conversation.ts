import { type JsonObject, objectOf } from '../model/json-object.ts';
import type { MessageWindow, WindowMessage } from './view-window.ts';

/** The answer of a host that refuses or cannot do something. */
export class HostError extends Error {
  override readonly name = 'HostError';
  /** The code of JSON-RPC. */
  readonly code: number;
  readonly data: unknown;

  constructor(message: string, code = -32_000, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** What a host sends: requests, whose result is sent back, and notifications. */
export interface Receiver {
  /** Returns undefined for an unknown method. */
  answer(method: string, params: JsonObject): JsonObject | Promise<JsonObject> | undefined;
  notified(method: string, params: JsonObject): void;
}

type Settle = (error: unknown, result?: JsonObject) => void;

/** How many requests may be without an answer; further ones are not sent. */
const maxPending = 1_000;

/**
 * JSON-RPC with the parent of a window. Messages of other windows are ignored, and those of another origin
 * than the one that the first answer had. Other data than JSON-RPC 2.0 is ignored too. A host has a
 * conversation with a view whose frame it gives as `parent`, with its `origin`: the view begins.
 */
export class Conversation {
  readonly #window: MessageWindow;
  readonly #receiver: Receiver;
  readonly #pending = new Map<unknown, Settle>();
  #lastId = 0;
  /** The origin of the other end, once it is known. */
  #origin: string | undefined;
  #isClosed = false;

  constructor(window: MessageWindow, receiver: Receiver, origin?: string) {
    this.#window = window;
    this.#origin = origin;
    this.#receiver = receiver;
    window.addEventListener('message', this.#receive);
  }

  /** Rejects with a `HostError` if the host answers with an error, and with the reason of `signal`. */
  request(method: string, params: JsonObject, signal?: AbortSignal): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      if (this.#isClosed) throw closed();
      if (this.#pending.size >= maxPending) throw new HostError('Too many requests wait for the host');
      const id = ++this.#lastId;
      const settle: Settle = (error, result) => {
        signal?.removeEventListener('abort', aborted);
        this.#pending.delete(id);
        if (result) resolve(result);
        else reject(error as Error);
      };
      const aborted = () => {
        settle(signal?.reason);
        // The first request of a conversation cannot be cancelled.
        if (this.#origin) this.notify('notifications/cancelled', { requestId: id });
      };
      // Throws if a value cannot be sent, such as a function.
      this.#send({ id, method, params });
      signal?.addEventListener('abort', aborted);
      this.#pending.set(id, settle);
    });
  }

  notify(method: string, params: JsonObject): void {
    this.#send({ method, params });
  }

  /** Ends the conversation: requests without an answer reject, and nothing more is sent. */
  close(): void {
    this.#isClosed = true;
    this.#window.removeEventListener('message', this.#receive);
    for (const settle of this.#pending.values()) settle(closed());
  }

  #send(message: JsonObject): void {
    if (this.#isClosed) return;
    // An opaque origin, "null", cannot be named. The window is the parent all the same.
    const isNamed = this.#origin && this.#origin !== 'null';
    this.#window.parent.postMessage({ jsonrpc: '2.0', ...message }, isNamed ? this.#origin! : '*');
  }

  readonly #receive = ({ source, origin, data }: WindowMessage): void => {
    if (source !== this.#window.parent || (this.#origin ?? origin) !== origin) return;
    const { jsonrpc, id, method, params = {}, ...answer } = objectOf(data);
    if (jsonrpc !== '2.0') return;
    if (method === undefined) {
      const settle = this.#pending.get(id);
      if (!settle) return;
      this.#origin = origin;
      settle(errorOf(answer['error']), isObject(answer['result']) ? answer['result'] : undefined);
    } else if (this.#origin && typeof method === 'string' && isObject(params)) {
      if (id === undefined) this.#receiver.notified(method, params);
      else if (typeof id === 'number' || typeof id === 'string') void this.#answer(id, method, params);
    }
  };

  async #answer(id: number | string, method: string, params: JsonObject): Promise<void> {
    try {
      const result = await this.#receiver.answer(method, params);
      this.#send(result ? { id, result } : { id, error: { code: -32_601, message: 'Unknown method' } });
    } catch (error) {
      this.#send({ id, error: { code: -32_603, message: String(error) } });
    }
  }
}

function isObject(value: unknown): value is JsonObject {
  return objectOf(value) === value;
}

function errorOf(error: unknown): HostError {
  const { message, code, data } = objectOf(error);
  return typeof message === 'string' && typeof code === 'number'
    ? new HostError(message, code, data)
    : new HostError('The host sent an invalid answer');
}

function closed(): HostError {
  return new HostError('The connection to the host is closed');
}
