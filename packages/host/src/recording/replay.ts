import { isObject, messageOf } from '@mcp/kit';
import type { Channel } from '@mcp/protocol/client';
import type { JsonObject } from '@mcp/protocol/proxy';
import { isTooDeep, maxNesting } from '../is-too-deep.ts';
import { type Exchange, keyOf, progressTokenOf, subscriptionId } from './exchanges.ts';

export interface ReplayOptions {
  /** The name of the recording in errors. */
  readonly name: string;
  /** Called with the message of each request that the recording does not have. */
  readonly onMissing: (message: string) => void;
}

const codes = { parse: -32700, method: -32601, params: -32602 } as const;

const tooDeep = {
  code: codes.params,
  message: `The request has more than ${maxNesting} levels of nesting`,
};

/** Maximum number of recorded requests that an error shows. */
const maxShown = 5;

/** Answers requests with what was recorded; the same request again gets its next answer, or the last one. */
export class Replay {
  readonly #channel: Channel;
  readonly #options: ReplayOptions;
  readonly #byKey: ReadonlyMap<string, Exchange[]>;
  readonly #exchanges: readonly Exchange[];
  /** Questions to the client that it has not answered yet, by their id. */
  readonly #asked = new Map<unknown, () => void>();
  #questions = 0;

  constructor(channel: Channel, exchanges: readonly Exchange[], options: ReplayOptions) {
    this.#channel = channel;
    this.#options = options;
    this.#exchanges = exchanges;
    this.#byKey = Map.groupBy(exchanges, ({ method, params }) => keyOf(method, params));
  }

  /** Serves until the client ends the connection, or `signal` aborts. */
  async serve(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#channel.open({
      message: (text) => this.#take(text),
      malformed: (error) => this.#send({ id: null, error: { code: codes.parse, message: messageOf(error) } }),
      ended: () => resolve(),
    });
    signal.addEventListener('abort', () => resolve());
    await promise;
    await this.#channel.close();
  }

  #take(text: string): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      return this.#send({ id: null, error: { code: codes.parse, message: messageOf(error) } });
    }
    for (const message of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
      if (!isObject(message)) continue;
      const { id, method, params } = message;
      if (typeof method !== 'string') this.#asked.get(id)?.();
      else if (isTooDeep(message)) this.#send({ id: isObject(id) ? null : id, error: tooDeep });
      else if (id !== undefined) void this.#answer(id, method, isObject(params) ? params : {});
    }
  }

  async #answer(id: unknown, method: string, params: JsonObject): Promise<void> {
    const exchange = this.#find(method, params);
    if (!exchange) {
      if (method === 'ping') return this.#send({ id, result: {} });
      return this.#send({ id, error: this.#missing(method, params) });
    }
    const request = { id, params };
    for (const message of exchange.before) await this.#play(message, exchange, request);
    const { answer } = exchange;
    // A subscription stays open.
    if (!answer && method === 'subscriptions/listen') return;
    if (!answer) return this.#send({ id, error: this.#missing(method, params, 'no answer to ') });
    this.#channel.send(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"${answer.member}":${answer.text}}`);
    for (const message of exchange.after) await this.#play(message, exchange, request);
  }

  /** The recorded request; for a handshake, one of another revision if need be, as the server answered it. */
  #find(method: string, params: JsonObject): Exchange | undefined {
    const found = this.#byKey.get(keyOf(method, params));
    if (found) return found.length > 1 ? found.shift() : found[0];
    return method === 'initialize' ? this.#exchanges.findLast((each) => each.method === method) : undefined;
  }

  /** Sends a message of the server. A question waits for its answer, whatever it is. */
  async #play(
    message: JsonObject,
    recorded: Exchange,
    request: { readonly id: unknown; readonly params: JsonObject },
  ): Promise<void> {
    if (message['id'] !== undefined) {
      const id = `replay-${++this.#questions}`;
      const answered = new Promise<void>((resolve) => this.#asked.set(id, resolve));
      this.#send({ ...message, id });
      await answered;
      this.#asked.delete(id);
      return;
    }
    const params = isObject(message['params']) ? { ...message['params'] } : {};
    if (params['progressToken'] !== undefined) {
      // Without a token of its own, the client wants no progress.
      const token = progressTokenOf(request.params);
      if (token === undefined) return;
      params['progressToken'] = token;
    }
    const meta = params['_meta'];
    if (isObject(meta) && meta[subscriptionId] === recorded.id)
      params['_meta'] = { ...meta, [subscriptionId]: request.id };
    this.#send({ ...message, params });
  }

  #missing(method: string, params: JsonObject, what = 'no '): JsonObject {
    const { _meta: _, ...rest } = params;
    const same = this.#exchanges.filter((each) => each.method === method);
    const message = `The recording "${this.#options.name}" has ${what}${method} ${JSON.stringify(rest)}`;
    this.#options.onMissing(message);
    const recorded = same.slice(0, maxShown).map(({ params: { _meta, ...each } }) => each);
    return { code: same.length === 0 ? codes.method : codes.params, message, data: { recorded } };
  }

  #send(message: JsonObject): void {
    this.#channel.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }
}
