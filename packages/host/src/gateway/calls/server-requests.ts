import { errorCodes, RpcError } from '@mcp/protocol';
import type { LogMessage } from '@mcp/protocol/client';
import type { JsonObject, ProxyCall, ProxyConversation, ProxyResult } from '@mcp/protocol/proxy';
import { type Outgoing, send } from './forward.ts';
import { invalid, isObject } from '../gateway-error.ts';
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
  readonly #heldOn = new WeakMap<ServerConnection, Set<HeldCall>>();
  /** Requests that came while no call was running. */
  readonly #waiting = new WeakMap<ServerConnection, Set<Question>>();

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
    return new Promise((resolve, reject) => this.#ask({ request, resolve, reject }, connection));
  }

  /** Passes a notification of a server on. */
  notify(method: string, params: JsonObject, connection: ServerConnection): void {
    if (connection.shared) return;
    const held = [...(this.#heldOn.get(connection) ?? [])].at(-1);
    const call = held?.carrier ?? connection.calls.newest;
    if (call) call.notify(method, params);
    else this.#conversation?.notify(method, params);
  }

  /** Passes a log message on, to a client that wants it. */
  log(message: LogMessage, connection: ServerConnection): void {
    if (!this.#conversation && !this.#wantsLogs(connection)) return;
    this.notify('notifications/message', { ...message }, connection);
  }

  /** Starts a call whose server may ask, or goes on with one that has asked. `over` is called when it has ended. */
  async call(
    connection: ServerConnection,
    outgoing: Outgoing,
    call: ProxyCall,
    over: () => void,
  ): Promise<ProxyResult> {
    if (this.#held.size >= maxHeld) {
      over();
      throw new RpcError(errorCodes.internalError, `${maxHeld} calls of this client wait for its answers`);
    }
    const on = this.#heldOn.get(connection) ?? new Set();
    this.#heldOn.set(connection, on);
    const held: HeldCall = new HeldCall(
      (signal) => {
        const identity = this.#identity.at(call.logLevel);
        return send(connection, outgoing, call, { identity, signal, carrier: () => held.carrier });
      },
      {
        ended: () => {
          on.delete(held);
          over();
        },
        over: (left) => {
          this.#held.delete(held.id);
          for (const question of left) this.#ask(question, connection);
        },
      },
    );
    held.carrier = call;
    on.add(held);
    this.#held.set(held.id, held);
    for (const question of this.#waiting.get(connection) ?? []) held.ask(question);
    this.#waiting.delete(connection);
    return held.next(call);
  }

  /** Goes on with a call whose server has asked. */
  resume({ requestState, inputResponses }: JsonObject, call: ProxyCall): Promise<ProxyResult> {
    const held = typeof requestState === 'string' ? this.#held.get(requestState) : undefined;
    if (!held) {
      throw invalid('"requestState" is refused: no call waits for it; send the request again without it');
    }
    if (isObject(inputResponses)) held.answer(inputResponses);
    return held.next(call);
  }

  close(): void {
    for (const held of this.#held.values()) held.abort(new Error('The client has disconnected'));
  }

  /** Asks with the newest call that runs on the connection, or with the next one. */
  #ask(question: Question, connection: ServerConnection): void {
    const { signal } = question.request;
    if (signal.aborted) return question.reject(signal.reason);
    const held = [...(this.#heldOn.get(connection) ?? [])].at(-1);
    if (held) return held.ask(question);
    // The next call may be that of another client.
    if (this.#identity.anonymous)
      return question.reject(new Error('No call is running that this belongs to'));
    const waiting = this.#waiting.get(connection) ?? new Set();
    this.#waiting.set(connection, waiting.add(question));
    signal.addEventListener('abort', () => waiting.delete(question), { once: true });
  }

  #wantsLogs(connection: ServerConnection): boolean {
    const held = [...(this.#heldOn.get(connection) ?? [])].at(-1);
    return (held?.carrier ?? connection.calls.newest)?.logLevel !== undefined;
  }
}
