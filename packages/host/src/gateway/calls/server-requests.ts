import { errorCodes, RpcError } from '@mcp/protocol';
import type { LogMessage } from '@mcp/protocol/client';
import type {
  ContinuedCalls,
  JsonObject,
  ProxyCall,
  ProxyClient,
  ProxyConversation,
  ProxyResult,
} from '@mcp/protocol/proxy';
import { isObject } from '@mcp/kit';
import { invalid } from '../gateway-error.ts';
import { mayAsk } from './declared-requests.ts';
import { MultiRoundCall, type Question } from './multi-round-call.ts';
import { type ClientIdentity, isFrom } from '../links/client-identity.ts';
import type { ServerConnection, ServerRequest } from '../links/server-connection.ts';

/** The error of a `requestState` that names no call which waits. */
export const unknownCall =
  'Unknown "requestState": its call has ended, or was never made; send the request again without it';

/** Maximum number of calls of one client that wait for the client's answers. */
const maxCalls = 1_000;

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Handles the requests and notifications of servers before 2026-07-28, on the connections of one client. */
export class ServerRequests {
  readonly #identity: ClientIdentity;
  readonly #conversation: ProxyConversation | undefined;
  readonly #continued: ContinuedCalls | undefined;
  readonly #owner: string;
  readonly #calls = new Map<string, MultiRoundCall>();
  /**
   * Requests that servers sent while there was no call to which they could belong: they wait for the next
   * such call.
   */
  readonly #waiting = new Set<Question>();

  constructor(
    identity: ClientIdentity,
    { conversation, principal }: ProxyClient,
    continued: ContinuedCalls | undefined,
  ) {
    this.#identity = identity;
    this.#conversation = conversation;
    this.#continued = continued;
    this.#owner = JSON.stringify(principal ?? null);
  }

  /** Passes a server's request to the client; throws an `RpcError` if it could be for another client. */
  answer(request: ServerRequest, connection: ServerConnection): Promise<JsonObject> {
    if (connection.isShared || !this.#identity.answers) {
      const reason = connection.isShared
        ? 'several clients share this connection, and the request may be for any of them'
        : 'the client supports no requests of servers';
      throw new RpcError(errorCodes.methodNotFound, `No client can answer "${request.method}": ${reason}`);
    }
    if (this.#conversation) {
      const call = connection.calls.at(-1);
      return this.#conversation.ask(request, { signal: request.signal, ...(call && { call }) });
    }
    // A conversation checks this itself.
    if (!mayAsk(this.#identity.conversation, request.method, request.params))
      throw new RpcError(errorCodes.methodNotFound, `The client does not support "${request.method}"`);
    return new Promise((resolve, reject) => this.#ask({ request, connection, resolve, reject }));
  }

  /** Passes a notification of a server to the client. */
  notify(method: string, params: JsonObject, connection: ServerConnection): void {
    // Each limit counts the message, also after another one has refused it.
    const refusing = [...connection.limits].filter((limit) => !limit.admits(params));
    if (refusing.length > 0) return;
    // A stateless server sends such notifications only while it answers a call, but does not name the call in
    // them. So on a shared connection, they are dropped unless exactly one call is running.
    const [only, ...others] = connection.calls;
    if (connection.isShared) {
      if (only && others.length === 0 && connection.isStateless) only.notify(method, params);
      return;
    }
    const call = this.#newest(connection)?.currentCall ?? connection.calls.at(-1);
    if (call) call.notify(method, params);
    else this.#conversation?.notify(method, params);
  }

  /** Passes a log message to the client if the client wants log messages. */
  log(message: LogMessage, connection: ServerConnection): void {
    if (!this.#conversation && !this.#wantsLog(message, connection)) return;
    this.notify('notifications/message', { ...message }, connection);
  }

  /** Starts a call during which the server may send requests to the client. */
  call(call: ProxyCall, start: (rounds: MultiRoundCall) => Promise<ProxyResult>): Promise<ProxyResult> {
    if (this.#calls.size >= maxCalls)
      throw new RpcError(
        errorCodes.internalError,
        `Too many calls (${maxCalls}) wait for answers of this client; answer or cancel some`,
      );
    let stop = () => {};
    const rounds: MultiRoundCall = new MultiRoundCall(call, start, (left) => {
      stop();
      this.#calls.delete(rounds.id);
      for (const question of left) this.#ask(question);
    });
    this.#calls.set(rounds.id, rounds);
    const answer = rounds.next(call);
    const continued = this.#continued;
    if (!continued) return answer;
    return answer.then(async (answered) => {
      if (!this.#calls.has(rounds.id)) return answered;
      const take = (params: JsonObject, later: ProxyCall) => {
        const result = this.resume(params, later);
        return result ?? Promise.reject(invalid(unknownCall));
      };
      try {
        stop = await continued.offer(this.#nameOf(rounds.id), take);
        // It may have ended in the meantime.
        if (!this.#calls.has(rounds.id)) stop();
      } catch (error) {
        rounds.abort(error);
        throw error;
      }
      return answered;
    });
  }

  /**
   * Assigns to a call all requests that servers send on the connections that `takes` accepts, including
   * requests that are already waiting.
   */
  assign(rounds: MultiRoundCall, takes: MultiRoundCall['takes']): void {
    rounds.takes = takes;
    for (const question of this.#waiting) {
      if (!question.connection || !takes(question.connection)) continue;
      this.#waiting.delete(question);
      rounds.ask(question);
    }
  }

  /**
   * Continues a call with the client's answers to requests of the server; undefined if the parameters belong
   * to no such call.
   */
  resume({ requestState, inputResponses }: JsonObject, call: ProxyCall): Promise<ProxyResult> | undefined {
    const rounds = typeof requestState === 'string' ? this.#calls.get(requestState) : undefined;
    if (isObject(inputResponses)) rounds?.answer(inputResponses);
    return rounds?.next(call);
  }

  /** As `resume`, for a call of another process of the gateway. */
  async resumeElsewhere(params: JsonObject, call: ProxyCall): Promise<ProxyResult | undefined> {
    const { requestState, inputResponses } = params;
    if (typeof requestState !== 'string' || !uuid.test(requestState)) return undefined;
    return this.#continued?.resume(this.#nameOf(requestState), { requestState, inputResponses }, call);
  }

  #nameOf(id: string): string {
    return `${this.#owner}:${id}`;
  }

  close(): void {
    for (const rounds of this.#calls.values()) rounds.abort(new Error('The client has disconnected'));
  }

  /**
   * Adds the question to the newest call that it may belong to. If there is none, the question waits for the
   * next such call.
   */
  #ask(question: Question): void {
    const { signal } = question.request;
    if (signal.aborted) return question.reject(signal.reason);
    // A question of the gateway belongs to one call alone.
    if (!question.connection) return question.reject(new Error('The call has ended'));
    const rounds = this.#newest(question.connection);
    if (rounds) return rounds.ask(question);
    // The next call of an anonymous client may come from another client, so the question cannot wait for it.
    if (this.#identity.anonymous)
      return question.reject(
        new Error('No call is running, so it is unknown for which client the request of the server is'),
      );
    this.#waiting.add(question);
    signal.addEventListener('abort', () => this.#waiting.delete(question), { once: true });
  }

  #newest(connection: ServerConnection): MultiRoundCall | undefined {
    return [...this.#calls.values()].findLast((rounds) => rounds.takes(connection));
  }

  #wantsLog({ level }: LogMessage, connection: ServerConnection): boolean {
    const call = this.#newest(connection)?.currentCall ?? connection.calls.at(-1);
    return call?.logLevel !== undefined && isFrom(level, call.logLevel);
  }
}
