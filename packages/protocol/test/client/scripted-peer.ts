import { Client, type ClientOptions, type Connector } from '@mcp/protocol/client';
import { memoryChannels } from '@mcp/protocol/testing';
import type { Channel } from '../../src/jsonrpc/channel.ts';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { Recording } from './recording.ts';

export const newest = '2026-07-28';

type Reply = { readonly result: JsonObject } | { readonly error: JsonObject } | undefined;
export type Replies = { readonly [method: string]: (message: JsonObject) => Reply };

export const text = (value: string): JsonObject => ({ content: [{ type: 'text', text: value }] });
export const tool: JsonObject = { name: 'any', inputSchema: { type: 'object' } };

/** A server that answers by a table, in this process; each `open` is a new connection to it. */
export class ScriptedPeer implements Connector {
  readonly name = `peer ${crypto.randomUUID()}`;
  /** How often it was connected to. */
  opened = 0;
  /** How often a connection has ended. */
  closed = 0;
  readonly #replies: Replies;
  #channel: Channel | undefined;
  readonly #messages = new Recording<JsonObject>();

  constructor(version: string, replies: Replies = {}) {
    const discover: Replies = {
      'server/discover': () => ({
        result: { resultType: 'complete', supportedVersions: [newest], capabilities: {} },
      }),
    };
    const initialize: Replies = {
      initialize: ({ params }) => ({
        result: {
          protocolVersion: (params as JsonObject)['protocolVersion'],
          capabilities: {},
          serverInfo: { name: 's', version: '1' },
        },
      }),
    };
    this.#replies = {
      'tools/list': () => ({ result: { tools: [tool] } }),
      'tools/call': () => ({ result: text('done') }),
      ...(version === newest ? discover : initialize),
      ...replies,
    };
  }

  open(): Channel {
    const [theirs, ours] = memoryChannels();
    this.opened++;
    this.#channel = ours;
    ours.open({
      message: (line) => this.#take(JSON.parse(line) as JsonObject, ours),
      malformed: () => {},
      ended: () => {
        this.closed++;
        void ours.close();
      },
    });
    return theirs;
  }

  send(message: JsonObject): void {
    this.#channel?.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  /** Ends the present connection, as a server that crashes does. */
  async crash(): Promise<void> {
    await this.#channel?.close();
  }

  /** Everything that clients have sent. */
  get received(): JsonObject[] {
    return this.#messages.events;
  }

  /** The messages of one method so far. */
  of(method: string): JsonObject[] {
    return this.received.filter((message) => message['method'] === method);
  }

  /** The first message that fits, now or later. */
  async awaited(fits: (message: JsonObject) => boolean): Promise<JsonObject> {
    await this.#messages.until(() => this.received.some(fits));
    return this.received.find(fits)!;
  }

  /** Resolves when there are so many messages of one method. */
  has(method: string, count: number): Promise<void> {
    return this.#messages.until(() => this.of(method).length >= count);
  }

  #take(message: JsonObject, channel: Channel): void {
    this.#messages.add(message);
    const { id, method } = message;
    if (typeof method !== 'string') return;
    const reply = this.#replies[method]?.(message);
    if (id === undefined) return;
    const answer = method in this.#replies ? reply : { error: { code: -32601, message: 'Unknown method' } };
    if (answer) channel.send(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  }
}

/** A client of a scripted peer, at one revision. */
export function connectTo(peer: Connector, version: string, options: ClientOptions = {}): Promise<Client> {
  return Client.connect(peer, {
    revision: version,
    backoff: { minMs: 1, maxMs: 10 },
    ...options,
  });
}

export const paramsOf = (message: JsonObject | undefined): JsonObject =>
  (message?.['params'] ?? {}) as JsonObject;
export const metaOf = (message: JsonObject | undefined): JsonObject =>
  (paramsOf(message)['_meta'] ?? {}) as JsonObject;
