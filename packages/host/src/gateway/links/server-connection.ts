import { RpcError } from '@mcp/protocol';
import type { Client, HostCall, LogMessage } from '@mcp/protocol/client';
import type { JsonObject, ProxyCall } from '@mcp/protocol/proxy';
import type { ServerEntry } from '../../config/server-entry.ts';
import type { Servers } from '../../servers/servers.ts';
import type { ClientIdentity } from './client-identity.ts';

/** A request of a server that came beside its responses. */
export interface ServerRequest {
  readonly method: string;
  readonly params: JsonObject | undefined;
  readonly protocolVersion: string;
  readonly signal: AbortSignal;
}

/** The owner of a connection, to whom it passes on notifications and requests. */
export interface ConnectionOwner {
  readonly identity: ClientIdentity;
  /** The server has sent a request, and may wait for its answer. */
  asked?(): void;
  /** Answers a request of the server; `connection` has the calls that it may belong to. */
  answer(request: ServerRequest, connection: ServerConnection): Promise<JsonObject>;
  /** Takes a notification that is for the client. */
  notify(method: string, params: JsonObject, connection: ServerConnection): void;
  log(message: LogMessage, connection: ServerConnection): void;
  warn(message: string): void;
}

/**
 * For clients of older revisions, results are converted: a tool that is listed with less counts as changed.
 */
const latestConversation = '2025-11-25';

/** Notifications that a client may wait for. */
const forClients = new Set(['notifications/elicitation/complete']);

/** The calls that run on a connection. A message that names none belongs to the newest. */
class RunningCalls {
  // In a `Set`, V8 would keep the calls that are over until the next full garbage collection.
  readonly #calls: ProxyCall[] = [];

  get newest(): ProxyCall | undefined {
    return this.#calls.at(-1);
  }

  get size(): number {
    return this.#calls.length;
  }

  add(call: ProxyCall): void {
    this.#calls.push(call);
  }

  delete(call: ProxyCall): void {
    const index = this.#calls.indexOf(call);
    if (index >= 0) this.#calls.splice(index, 1);
  }
}

/** One connection of the gateway to a server: of one client, or shared by clients that it cannot confuse. */
export class ServerConnection {
  entry: ServerEntry;
  readonly client: Client;
  readonly calls = new RunningCalls();
  /**
   * Whether calls of several clients run on it, so that a message which names no call
   * belongs to none of them.
   */
  shared = false;

  #isClosed = false;

  private constructor(entry: ServerEntry, client: Client) {
    this.entry = entry;
    this.client = client;
  }

  /**
   * Opens a connection in the era of the client, where the server has it: a server may offer more to clients
   * that it has a conversation with.
   */
  static async open(
    servers: Servers,
    name: string,
    owner: ConnectionOwner,
    signal: AbortSignal,
  ): Promise<ServerConnection> {
    if (!owner.identity.converses) return ServerConnection.#open(servers, name, owner, signal);
    try {
      return await ServerConnection.#open(servers, name, owner, signal, latestConversation);
    } catch (error) {
      if (!isRefused(error)) throw error;
      return ServerConnection.#open(servers, name, owner, signal);
    }
  }

  static async #open(
    servers: Servers,
    name: string,
    owner: ConnectionOwner,
    signal: AbortSignal,
    protocolVersion?: string,
  ): Promise<ServerConnection> {
    const { identity } = owner;
    // A server may ask before the handshake has been answered to the end.
    let opened: (connection: ServerConnection) => void = () => {};
    const connection = new Promise<ServerConnection>((resolve) => (opened = resolve));
    const { entry, client } = await servers.connect(
      name,
      {
        ...(protocolVersion !== undefined && { protocolVersion }),
        name: identity.info.name,
        version: identity.info.version,
        capabilities: identity.conversation,
        answer: async (method: string, params: JsonObject | undefined, call: HostCall) => {
          owner.asked?.();
          const own = await connection;
          const spoken = own.client.protocolVersion;
          return owner.answer({ method, params, protocolVersion: spoken, signal: call.signal }, own);
        },
        notification: (method, params) => {
          if (forClients.has(method)) void connection.then((own) => owner.notify(method, params, own));
        },
        log: (message) => void connection.then((own) => owner.log(message, own)),
        warn: (message) => owner.warn(`${name}: ${message}`),
      },
      signal,
    );
    const own = new ServerConnection(entry, client);
    opened(own);
    return own;
  }

  /**
   * Whether requests are stateless (2026-07-28), so that requests of several clients can
   * share the connection.
   */
  get stateless(): boolean {
    return this.client.protocolVersion >= '2026-07-28';
  }

  get logs(): boolean {
    return this.client.capabilities['logging'] !== undefined;
  }

  /** Whether it was ended on this side. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.client.close();
  }
}

/** Whether a server has answered that it takes no handshake. */
function isRefused(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof RpcError) return true;
  if ('status' in error) return [400, 404, 405].includes(Number(error.status));
  return isRefused(error.cause);
}
