import type { JsonSource } from '../jsonrpc/json-source.ts';
import type { JsonObject } from '../jsonrpc/message.ts';
import type { LogLevel } from './call.ts';
import type { Icon } from './content.ts';
import type { Stop } from './resource.ts';

export type ProxyListKind = 'tools' | 'resources' | 'prompts';

/** One client of a proxy. */
export interface ProxyClient {
  /** The version of the specification that the client speaks. */
  readonly protocolVersion: string;
  readonly capabilities: JsonObject;
  /** The client's description of itself; not verified. */
  readonly info: JsonObject | undefined;
  /** The authorized client; undefined without authorization. */
  readonly principal: string | undefined;
  /**
   * The connection, where all of its messages are this client's; undefined for a single request over HTTP.
   */
  readonly connection: object | undefined;
  /** The conversation that `initialize` has opened; undefined at 2026-07-28. */
  readonly conversation: ProxyConversation | undefined;
}

/** A conversation with a client, up to 2025-11-25. */
export interface ProxyConversation {
  /**
   * Sends a request of a server to the client, beside the response to `call` where one is given,
   * and resolves with its result. Rejects with an `RpcError` if the client refuses, or has not declared
   * the capability that the request needs.
   */
  ask(
    question: ProxyQuestion,
    options: { readonly signal: AbortSignal; readonly call?: ProxyCall },
  ): Promise<JsonObject>;
  /** Sends a notification that belongs to no request. */
  notify(method: string, params: JsonObject): void;
}

/** A request of a server to a client, as a server of `protocolVersion` has sent it. */
export interface ProxyQuestion {
  readonly method: string;
  readonly params: JsonObject | undefined;
  readonly protocolVersion: string;
}

/** One request of a client. */
export interface ProxyCall {
  /** Aborts when the client cancels. */
  readonly signal: AbortSignal;
  /** The source of the parameters, where it is needed to pass them on. */
  readonly source: JsonSource | undefined;
  /**
   * Calls `cancel` when the client cancels, in place of an earlier function; it costs less than the signal.
   */
  whenCancelled(cancel: (reason: unknown) => void): void;
  /** The level of log messages that the client wants; undefined for none. */
  readonly logLevel: LogLevel | undefined;
  /** Sends a notification beside the response. */
  notify(method: string, params: JsonObject): void;
  readonly progress: (done: number, total?: number, message?: string) => void;
}

/** The result of a request, as a server has sent it. */
export interface ProxyResult {
  readonly result: JsonObject;
  /** The result as it was parsed, and its text: unchanged parts of the result are sent as that text. */
  readonly source?: JsonSource | undefined;
  /** The version that the server speaks; the result is converted where the client speaks another. */
  readonly protocolVersion: string;
  /** The `outputSchema` that the called tool is listed with. */
  readonly outputSchema?: JsonObject | undefined;
}

/** The proxy for one client. */
export interface ProxySession {
  /** The capabilities and instructions to declare; the handshake waits for them. */
  describe(): Promise<{ readonly capabilities: JsonObject; readonly instructions?: string | undefined }>;
  /** Answers a request; throws an `RpcError` to refuse it. */
  request(method: string, params: JsonObject, call: ProxyCall): Promise<ProxyResult>;
  /** The `inputSchema` of a tool, whose values HTTP headers may repeat. */
  inputSchema(tool: string): Promise<JsonObject | undefined>;
  /** Calls `changed` after each change of a resource; rejects where it cannot be watched. */
  watchResource(uri: string, changed: () => void): Promise<Stop>;
  /** Calls `changed` after each change of a list. */
  watchList(kind: ProxyListKind, changed: () => void): Promise<Stop>;
  /** Calls `changed` with these tasks after every change; `watchable` are those that can be watched. */
  watchTasks(
    taskIds: readonly string[],
    changed: (task: JsonObject) => void,
  ): Promise<{ readonly watchable: readonly string[]; readonly stop: Stop }>;
  setLogLevel(level: LogLevel): Promise<void>;
  /** The client's roots have changed. */
  rootsChanged(): void;
  /** The conversation has ended. Never called for a session of 2026-07-28. */
  close(): Promise<void>;
}

export interface ProxyDefinition {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: readonly Icon[];
  /** Returns the session of a client: once for each conversation, and for each request of 2026-07-28. */
  session(client: ProxyClient): ProxySession;
}
