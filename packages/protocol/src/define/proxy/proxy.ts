import type { JsonSource } from '../../jsonrpc/json-source.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import type { LogLevel } from '../call.ts';
import type { Implementation } from '../implementation.ts';
import type { Observer } from '../observer.ts';
import type { Stop } from '../resource.ts';
import type { ListKind } from '../live-list.ts';

/** One client of a proxy. */
export interface ProxyClient {
  /** The revision that the client speaks, such as `2025-11-25`. */
  readonly revision: string;
  readonly capabilities: JsonObject;
  /** The client's description of itself; not verified. */
  readonly info: JsonObject | undefined;
  /** The principal of the client's token; undefined without authorization. */
  readonly principal: string | undefined;
  /** Identifies a connection that only this client uses; undefined for a single HTTP request. */
  readonly connection: object | undefined;
  /**
   * The conversation that `initialize` has opened; undefined in revision 2026-07-28, which has no
   * conversations.
   */
  readonly conversation: ProxyConversation | undefined;
}

/** A conversation with a client, in revisions up to 2025-11-25. */
export interface ProxyConversation {
  /**
   * Sends a request of a server to the client and resolves with its result. If `call` is given, sends the
   * request over the stream or connection on which the response to `call` goes. Rejects with an `RpcError` if
   * the client refuses, or has not declared the capability that the request needs.
   */
  ask(
    question: ProxyQuestion,
    options: { readonly signal: AbortSignal; readonly call?: ProxyCall },
  ): Promise<JsonObject>;
  /** Sends a notification that belongs to no request. */
  notify(method: string, params: JsonObject): void;
}

/** A request of a server to a client, in the form of `revision`, the revision of the server. */
export interface ProxyQuestion {
  readonly method: string;
  readonly params: JsonObject | undefined;
  readonly revision: string;
}

/** One request of a client. */
export interface ProxyCall {
  /** Aborts when the client cancels. */
  readonly signal: AbortSignal;
  /**
   * The parameters with the JSON text that the client sent, to pass the text on unchanged. Undefined for a
   * short text whose numbers `JSON.stringify` writes without loss.
   */
  readonly source: JsonSource | undefined;
  /**
   * Calls `cancel` when the client cancels; replaces the function given before. Costs less than reading
   * `signal`, which creates an `AbortController`.
   */
  whenCancelled(cancel: (reason: unknown) => void): void;
  /** The level of log messages that the client wants; undefined for none. */
  readonly logLevel: LogLevel | undefined;
  /** Sends a notification over the stream or connection on which the response to this request goes. */
  notify(method: string, params: JsonObject): void;
  readonly progress: (done: number, total?: number, message?: string) => void;
}

/** The result of a request, in the form in which a server has sent it. */
export interface ProxyResult {
  readonly result: JsonObject;
  /**
   * The result as the server sent it, parsed and as JSON text. The client gets this text for `result` or, if
   * `result` is another object, for each member that is the same in both.
   */
  readonly source?: JsonSource | undefined;
  /** The revision that the server speaks; the result is converted if the client speaks another revision. */
  readonly revision: string;
  /** The `outputSchema` that the called tool is listed with. */
  readonly outputSchema?: JsonObject | undefined;
}

/** The proxy for one client. */
export interface ProxySession {
  /** The capabilities and instructions to declare; the handshake waits for them. */
  describe(): Promise<{ readonly capabilities: JsonObject; readonly instructions?: string | undefined }>;
  /** Answers a request; throws an `RpcError` to refuse it. */
  request(method: string, params: JsonObject, call: ProxyCall): Promise<ProxyResult>;
  /** A tool's `inputSchema`, which marks arguments that are also sent as headers; undefined if unknown. */
  inputSchema(tool: string): Promise<JsonObject | undefined>;
  /** Calls `changed` after each change of a resource; rejects if the resource cannot be watched. */
  watchResource(uri: string, changed: () => void): Promise<Stop>;
  /** Calls `changed` after each change of a list. */
  watchList(kind: ListKind, changed: () => void): Promise<Stop>;
  /** Calls `changed` with a task's state after each change. `watchable` lists the ids that can be watched. */
  watchTasks(
    taskIds: readonly string[],
    changed: (task: JsonObject) => void,
  ): Promise<{ readonly watchable: readonly string[]; readonly stop: Stop }>;
  setLogLevel(level: LogLevel): Promise<void>;
  /** Called when the client's roots have changed. */
  rootsChanged(): void;
  /** Called when the conversation has ended; never in revision 2026-07-28, where a session is one request. */
  close(): Promise<void>;
}

export interface ProxyDefinition extends Implementation {
  /** Is called at the beginning and the end of each request, as in `defineServer`. */
  readonly observe?: Observer | undefined;
  /**
   * Returns the session of a client. Called once for each conversation; in revision 2026-07-28, once for each
   * request.
   */
  session(client: ProxyClient): ProxySession;
}
