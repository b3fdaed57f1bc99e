import { errorCodes, RpcError } from '@mcp/protocol';
import type { LogMessage } from '@mcp/protocol/client';
import type { JsonObject, ProxyCall, ProxyConversation, ProxyResult } from '@mcp/protocol/proxy';
import { isObject } from '../gateway-error.ts';
import { HeldCall, type Question } from './held-calls.ts';
import type { ClientIdentity } from '../links/client-identity.ts';
import type { ServerConnection, ServerRequest } from '../links/server-connection.ts';

/** Calls of one client that wait for its answers. */
const maxHeld = 1_000;

/** What older servers ask and tell beside their responses, on the connections of one client. */
export class ServerRequests {
  readonly #identity: ClientIdentity;
  readonly #conversation: ProxyConversation | undefined;
  readonly #held = new Map<string, HeldCall>();
  /** Requests that came while there was no call that they belong to. */
  readonly #waiting = new Set<Question>();

  constructor(identity: ClientIdentity, conversation: ProxyConversation | undefined) {
    this.#identity = identity;
    this.#conversation = conversation;
  }

  /** Answers a request of a server: the client does, whose call it is or whose connection. */
  answer(request: ServerRequest, connection: ServerConnection): Promise<JsonObject> {
    if (connection.shared || !this.#identity.answers) {
      throw new RpcError(errorCodes.methodNotFound, `The client does not answer "${request.method}"`);
    }
    if (this.#conversation) {
      const call = connection.calls.newest;
      return this.#conversation.ask(request, { signal: request.signal, ...(call && { call }) });
    }
    return new Promise((resolve, reject) => this.#ask({ request, connection, resolve, reject }));
  }

  /** Passes a notification of a server on. */
  notify(method: string, params: JsonObject, connection: ServerConnection): void {
    if (connection.shared) return;
    const call = this.#newest(connection)?.carrier ?? connection.calls.newest;
    if (call) call.notify(method, params);
    else this.#conversation?.notify(method, params);
  }

  /** Passes a log message on, to a client that wants it. */
  log(message: LogMessage, connection: ServerConnection): void {
    if (!this.#conversation && !this.#wantsLogs(connection)) return;
    this.notify('notifications/message', { ...message }, connection);
  }

  /** Starts a call whose server may ask. */
  call(call: ProxyCall, start: (held: HeldCall) => Promise<ProxyResult>): Promise<ProxyResult> {
    if (this.#held.size >= maxHeld)
      throw new RpcError(errorCodes.internalError, `${maxHeld} calls of this client wait for its answers`);
    const held: HeldCall = new HeldCall(call, start, (left) => {
      this.#held.delete(held.id);
      for (const question of left) this.#ask(question);
    });
    this.#held.set(held.id, held);
    return held.next(call);
  }

  /** Makes the requests on connections that `takes` accepts, earlier ones included, part of a call. */
  assign(held: HeldCall, takes: HeldCall['takes']): void {
    held.takes = takes;
    for (const question of this.#waiting) {
      if (!takes(question.connection)) continue;
      this.#waiting.delete(question);
      held.ask(question);
    }
  }

  /** Continues a call whose server has asked; undefined for the parameters of a new call. */
  resume({ requestState, inputResponses }: JsonObject, call: ProxyCall): Promise<ProxyResult> | undefined {
    const held = typeof requestState === 'string' ? this.#held.get(requestState) : undefined;
    if (isObject(inputResponses)) held?.answer(inputResponses);
    return held?.next(call);
  }

  close(): void {
    for (const held of this.#held.values()) held.abort(new Error('The client has disconnected'));
  }

  /** Asks with the newest call that the question belongs to, or with the next one. */
  #ask(question: Question): void {
    const { signal } = question.request;
    if (signal.aborted) return question.reject(signal.reason);
    const held = this.#newest(question.connection);
    if (held) return held.ask(question);
    // The next call may be that of another client.
    if (this.#identity.anonymous)
      return question.reject(new Error('No call is running that this belongs to'));
    this.#waiting.add(question);
    signal.addEventListener('abort', () => this.#waiting.delete(question), { once: true });
  }

  #newest(connection: ServerConnection): HeldCall | undefined {
    return [...this.#held.values()].findLast((held) => held.takes(connection));
  }

  #wantsLogs(connection: ServerConnection): boolean {
    return (this.#newest(connection)?.carrier ?? connection.calls.newest)?.logLevel !== undefined;
  }
}
