import { defineServer, type Server } from '@mcp/protocol';
import type { CacheHint } from '../../src/define/resource.ts';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { RawConnection } from '../../src/testing.ts';

export const stateless = '2026-07-28';

type Example = Omit<Parameters<typeof defineServer<object>>[0], 'name' | 'version' | 'context'>;

/** A server "example" with these parts alone. */
export function example(parts: Example = {}): Server {
  return defineServer<object>({ name: 'example', version: '1.0.0', ...parts });
}

/** The capabilities and the log level that a client sends. */
export type Speaker = { readonly capabilities?: JsonObject; readonly logLevel?: string };

/** `_meta` as a request of 2026-07-28 must have it. */
export function metaOf({ capabilities = {}, logLevel }: Speaker = {}): JsonObject {
  return {
    'io.modelcontextprotocol/protocolVersion': stateless,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    ...(logLevel !== undefined && { 'io.modelcontextprotocol/logLevel': logLevel }),
  };
}

export function initialize(id: string | number, version: string, capabilities: JsonObject = {}): JsonObject {
  const params = { protocolVersion: version, capabilities, clientInfo: { name: 'raw', version: '0' } };
  return { jsonrpc: '2.0', id, method: 'initialize', params };
}

/** A result of `example` at a revision, with the members that 2026-07-28 adds. */
export function stamped(version: string, members: JsonObject, cache?: CacheHint): JsonObject {
  if (version !== stateless) return members;
  return {
    resultType: 'complete',
    ...members,
    ...(cache && { ttlMs: cache.ttlMs, cacheScope: cache.scope }),
    _meta: {
      ...(members['_meta'] as JsonObject | undefined),
      'io.modelcontextprotocol/serverInfo': { name: 'example', version: '1.0.0' },
    },
  };
}

/** The messages between a client of one revision and a server. */
export class Wire {
  readonly raw: RawConnection;
  readonly version: string;
  /** The notifications and requests of the server, in their order. */
  readonly fromServer: JsonObject[] = [];
  readonly #speaker: Speaker;
  /** Responses that arrived before they were requested by `response`. */
  readonly #early: JsonObject[] = [];
  #lastId = 100;

  private constructor(raw: RawConnection, version: string, speaker: Speaker) {
    this.raw = raw;
    this.version = version;
    this.#speaker = speaker;
  }

  /** Connects to `server` at `version`, with a handshake where the revision has one. */
  static async open(server: Server, version: string, speaker: Speaker = {}): Promise<Wire> {
    const wire = new Wire(new RawConnection(server), version, speaker);
    if (version === stateless) return wire;
    await wire.raw.ask(wire.opening[0]);
    wire.raw.send(wire.opening[1]);
    if (speaker.logLevel) await wire.result('logging/setLevel', { level: speaker.logLevel });
    return wire;
  }

  /** The messages of the handshake. */
  get opening(): readonly JsonObject[] {
    if (this.version === stateless) return [];
    return [
      initialize('handshake', this.version, this.#speaker.capabilities),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
    ];
  }

  /** A request with the next id. */
  request(method: string, params: JsonObject = {}, meta: JsonObject = {}): JsonObject & { id: number } {
    const _meta = { ...(this.version === stateless && metaOf(this.#speaker)), ...meta };
    const withMeta = Object.keys(_meta).length > 0 ? { ...params, _meta } : params;
    return { jsonrpc: '2.0', id: ++this.#lastId, method, params: withMeta };
  }

  /** Sends a request without waiting, and returns its id. */
  send(method: string, params?: JsonObject, meta?: JsonObject): number {
    const request = this.request(method, params, meta);
    this.raw.send(request);
    return request.id;
  }

  notify(method: string, params?: JsonObject): void {
    this.raw.send({ jsonrpc: '2.0', method, ...(params && { params }) });
  }

  /** The response to the request with this id. */
  async response(id: string | number | undefined): Promise<JsonObject> {
    const early = this.#early.findIndex((message) => message['id'] === id);
    if (early !== -1) return this.#early.splice(early, 1)[0]!;
    for (;;) {
      const message = await this.raw.next();
      if ('method' in message) this.fromServer.push(message);
      else if (message['id'] === id) return message;
      else this.#early.push(message);
    }
  }

  /** The next notification or request of the server. */
  async nextFromServer(): Promise<JsonObject> {
    for (;;) {
      const message = await this.raw.next();
      if ('method' in message) {
        this.fromServer.push(message);
        return message;
      }
      this.#early.push(message);
    }
  }

  ask(method: string, params?: JsonObject, meta?: JsonObject): Promise<JsonObject> {
    return this.response(this.send(method, params, meta));
  }

  /** Sends a request and returns its result. Throws for an error response. */
  async result(method: string, params?: JsonObject, meta?: JsonObject): Promise<JsonObject> {
    const { result, error } = await this.ask(method, params, meta);
    if (error) throw new Error(`${method} was refused: ${JSON.stringify(error)}`);
    return result as JsonObject;
  }

  /** Sends a request and returns its error. Throws for a result. */
  async error(method: string, params?: JsonObject, meta?: JsonObject): Promise<JsonObject> {
    const { result, error } = await this.ask(method, params, meta);
    if (!error) throw new Error(`${method} was answered: ${JSON.stringify(result)}`);
    return error as JsonObject;
  }

  call(name: string, args: JsonObject = {}, meta?: JsonObject): Promise<JsonObject> {
    return this.result('tools/call', { name, arguments: args }, meta);
  }

  /** Capabilities the server declares at this revision. */
  async capabilities(): Promise<JsonObject> {
    if (this.version === stateless) {
      return (await this.result('server/discover'))['capabilities'] as JsonObject;
    }
    const again = await this.raw.ask(initialize('again', this.version, this.#speaker.capabilities));
    this.notify('notifications/initialized');
    return (again['result'] as JsonObject)['capabilities'] as JsonObject;
  }

  /** Closes the connection and returns all notifications and requests of the server. */
  async end(): Promise<JsonObject[]> {
    await this.raw.end();
    return this.raw.received.filter((message) => 'method' in message);
  }
}
