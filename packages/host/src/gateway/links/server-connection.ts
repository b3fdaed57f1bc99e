import { RpcError } from '@mcp/protocol';
import type { Client, ClientOptions, HostCall, LogMessage } from '@mcp/protocol/client';
import type { JsonObject, ProxyCall } from '@mcp/protocol/proxy';
import type { ServerEntry } from '../../config/entry/server-entry.ts';
import type { MessageLimit } from '../../policy/message-limit.ts';
import type { Connection } from '../../servers/connection.ts';
import { isStateless } from '../../servers/is-stateless.ts';
import type { Servers } from '../../servers/servers.ts';
import type { ClientIdentity } from './client-identity.ts';

/** A request that a server has sent to its client. */
export interface ServerRequest {
  readonly method: string;
  readonly params: JsonObject | undefined;
  readonly revision: string;
  readonly signal: AbortSignal;
}

/** The owner of a connection, to which the connection passes notifications and requests. */
export interface ConnectionOwner {
  readonly identity: ClientIdentity;
  /**
   * Called when the server has sent a request. The server may not go on, for example with its start, before
   * it gets the answer.
   */
  asked?(): void;
  /** Answers a request of the server. The request may belong to any of the calls that run on `connection`. */
  answer(request: ServerRequest, connection: ServerConnection): Promise<JsonObject>;
  /** Takes a notification that is for the client. */
  notify(method: string, params: JsonObject, connection: ServerConnection): void;
  log(message: LogMessage, connection: ServerConnection): void;
  warn(message: string): void;
}

/**
 * The revision of the connections for clients that sent `initialize`, also for clients of an older revision:
 * the gateway converts the results for them. With an older revision, a server would leave out newer fields of
 * its tools, which would then count as changed since the user accepted them.
 */
const latestConversation = '2025-11-25';

/**
 * Notifications of servers that are not passed on to the client, because the gateway handles them itself. All
 * others are passed on, because the client may need them, such as `notifications/elicitation/complete` or
 * those of an extension.
 */
const forGateway =
  /^notifications\/(progress|message|cancelled|tasks|subscriptions|resources|tools|prompts)(\/|$)/;

/** A connection to a server, as one client of the gateway uses it. */
export class ServerConnection {
  readonly client: Client;
  /** The calls on this connection, the newest last: a message that names no call belongs to the newest. */
  readonly calls: ProxyCall[] = [];
  /** The limits of those of them that have one: a message that names no call counts for each. */
  readonly limits = new Set<MessageLimit>();
  readonly #connection: Connection;

  private constructor(connection: Connection) {
    this.#connection = connection;
    this.client = connection.client;
  }

  /**
   * Opens a connection. For a client that sent `initialize`, the gateway sends `initialize` to the server,
   * too, if the server supports it: a server may offer more on such a connection. `canShare` tells whether
   * other clients may use the connection as well.
   */
  static async open(
    servers: Servers,
    name: string,
    owner: ConnectionOwner,
    signal: AbortSignal,
    canShare?: (client: Client) => boolean,
  ): Promise<ServerConnection> {
    const { converses, info, conversation, shownLogs } = owner.identity;
    // The server may send a request before the handshake ends, so the handlers wait for the connection.
    let opened: (connection: ServerConnection) => void = () => {};
    const connection = new Promise<ServerConnection>((resolve) => (opened = resolve));
    const client: ClientOptions = {
      name: info.name,
      version: info.version,
      capabilities: conversation,
      answer: async (method: string, params: JsonObject | undefined, call: HostCall) => {
        owner.asked?.();
        const own = await connection;
        const { revision } = own.client;
        return owner.answer({ method, params, revision, signal: call.signal }, own);
      },
      onNotification: (method, params) => {
        if (!forGateway.test(method)) void connection.then((own) => owner.notify(method, params, own));
      },
      ...(shownLogs && { logLevel: shownLogs }),
      onLog: (message) => void connection.then((own) => owner.log(message, own)),
      onWarning: (message) => owner.warn(`${name}: ${message}`),
    };
    const lease = () => servers.lease(name, { client, signal, ...(canShare && { canShare }) });
    const conversing = { ...client, revision: latestConversation };
    const leased = converses
      ? servers
          .lease(name, { client: conversing, signal })
          .catch((error: unknown) => (isRefused(error) ? lease() : Promise.reject(error as Error)))
      : lease();
    const own = new ServerConnection(await leased);
    opened(own);
    return own;
  }

  get entry(): ServerEntry {
    return this.#connection.entry;
  }

  /**
   * Whether several clients use this connection. If so, a message that names no call cannot be assigned to
   * one of them.
   */
  get isShared(): boolean {
    return this.#connection.isShared;
  }

  get isClosed(): boolean {
    return this.#connection.isClosed;
  }

  /** Whether requests are stateless (2026-07-28). */
  get isStateless(): boolean {
    return isStateless(this.client);
  }

  get logs(): boolean {
    return this.client.capabilities['logging'] !== undefined;
  }

  close(): Promise<void> {
    return this.#connection.release();
  }
}

/** Whether an error means that the server answered, but refused the handshake. */
function isRefused(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof RpcError) return true;
  if ('status' in error) return [400, 404, 405].includes(Number(error.status));
  return isRefused(error.cause);
}
