import type { Client, HostCall, LogMessage } from '@mcp/protocol/client';
import type { JsonObject, ProxyCall } from '@mcp/protocol/proxy';
import type { ServerDefinition } from '../config/definition.ts';
import type { Servers } from '../servers/servers.ts';
import type { ClientIdentity } from './client-identity.ts';

/** A request of a server that came beside its responses. */
export interface ServerRequest {
  readonly method: string;
  readonly params: JsonObject | undefined;
  readonly protocolVersion: string;
  readonly signal: AbortSignal;
}

/** What a connection passes on to its client. */
export interface ConnectionOwner {
  readonly identity: ClientIdentity;
  /** Answers a request of the server; `connection` has the calls that it may belong to. */
  answer(request: ServerRequest, connection: ServerConnection): Promise<JsonObject>;
  /** Takes a notification that is for the client. */
  notify(method: string, params: JsonObject, connection: ServerConnection): void;
  log(message: LogMessage, connection: ServerConnection): void;
  warn(message: string): void;
}

/** Notifications that a client may wait for. */
const forClients = new Set(['notifications/elicitation/complete']);

/** The calls that run on a connection. A message that names none belongs to the newest. */
class RunningCalls {
  readonly #calls = new Set<ProxyCall>();

  get newest(): ProxyCall | undefined {
    return [...this.#calls].at(-1);
  }

  get size(): number {
    return this.#calls.size;
  }

  add(call: ProxyCall): void {
    this.#calls.add(call);
  }

  delete(call: ProxyCall): void {
    this.#calls.delete(call);
  }
}

/** One connection of the gateway to a server: of one client, or shared by clients that it cannot confuse. */
export class ServerConnection {
  readonly definition: ServerDefinition;
  readonly client: Client;
  readonly calls = new RunningCalls();
  /** Whether calls of several clients run on it, so that a message which names no call belongs to none of them. */
  shared = false;

  private constructor(definition: ServerDefinition, client: Client) {
    this.definition = definition;
    this.client = client;
  }

  static async open(
    servers: Servers,
    name: string,
    owner: ConnectionOwner,
    signal: AbortSignal,
  ): Promise<ServerConnection> {
    const { identity } = owner;
    // A server may ask before the handshake has been answered to the end.
    let opened: (connection: ServerConnection) => void = () => {};
    const connection = new Promise<ServerConnection>((resolve) => (opened = resolve));
    const { definition, client } = await servers.connect(
      name,
      {
        name: identity.info.name,
        version: identity.info.version,
        capabilities: identity.conversation,
        answer: async (method: string, params: JsonObject | undefined, call: HostCall) => {
          const own = await connection;
          const { protocolVersion } = own.client;
          return owner.answer({ method, params, protocolVersion, signal: call.signal }, own);
        },
        notification: (method, params) => {
          if (forClients.has(method)) void connection.then((own) => owner.notify(method, params, own));
        },
        log: (message) => void connection.then((own) => owner.log(message, own)),
        warn: (message) => owner.warn(`${name}: ${message}`),
      },
      signal,
    );
    const own = new ServerConnection(definition, client);
    opened(own);
    return own;
  }

  /** Whether each request stands alone (2026-07-28), so that requests of several clients can share the connection. */
  get stateless(): boolean {
    return this.client.protocolVersion >= '2026-07-28';
  }

  get logs(): boolean {
    return this.client.capabilities['logging'] !== undefined;
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
