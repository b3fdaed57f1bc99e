import { randomUUID } from 'node:crypto';
import type { JsonObject, ProxyCall, ProxyResult } from '@mcp/protocol/proxy';
import { isObject } from '@mcp/kit';
import type { ServerConnection, ServerRequest } from '../links/server-connection.ts';

/** Milliseconds that a call waits until its client has answered the server's questions. */
const answerTimeoutMs = 10 * 60_000;

/** A request of a server that waits for the answer of a client. */
export interface Question {
  readonly request: ServerRequest;
  /** The connection over which the server has sent the request; undefined for one of the gateway. */
  readonly connection: ServerConnection | undefined;
  readonly resolve: (answer: JsonObject) => void;
  readonly reject: (reason: unknown) => void;
}

type Outcome = { readonly value: ProxyResult } | { readonly error: unknown };

/**
 * A call that a client of 2026-07-28 makes at an older server, which sends requests of its own to the client.
 * The client gets these questions as the result of its request, and repeats the request with the answers. In
 * the meantime the call continues at the server.
 */
export class MultiRoundCall {
  /** The `requestState` by which the client continues the call. It is random: only this client knows it. */
  readonly id = randomUUID();
  /** The client's request that now waits for the result of this call; undefined between two requests. */
  currentCall: ProxyCall | undefined;
  /**
   * Whether a message of the server on this connection belongs to this call: true if the call runs on the
   * connection, or waits for the start of the server.
   */
  takes: (connection: ServerConnection) => boolean = () => false;
  readonly #questions = new Map<string, Question>();
  readonly #aborted = new AbortController();
  readonly #over: (left: readonly Question[]) => void;
  #outcome: Outcome | undefined;
  #wake: (() => void) | undefined;
  #nextKey = 1;
  #timer: NodeJS.Timeout | undefined;

  /**
   * `over` is called when the client has got the result or has not answered in time. It gets the questions
   * that have no answer yet.
   */
  constructor(
    call: ProxyCall,
    start: (rounds: MultiRoundCall) => Promise<ProxyResult>,
    over: (left: readonly Question[]) => void,
  ) {
    this.currentCall = call;
    this.#over = over;
    void start(this).then(
      (value) => this.#end({ value }),
      (error: unknown) => this.#end({ error }),
    );
  }

  /** Aborts when the call is cancelled. */
  get signal(): AbortSignal {
    return this.#aborted.signal;
  }

  /** Asks the client a question, as part of the next result that the client gets. */
  ask(question: Question): void {
    const { request } = question;
    const key = `${request.method}-${this.#nextKey++}`;
    this.#questions.set(key, question);
    request.signal.addEventListener('abort', () => this.#questions.delete(key), { once: true });
    this.#wake?.();
  }

  /**
   * Passes the client's answers on to the server, even after this call has ended: the server may have sent
   * the question for another call on the same connection.
   */
  answer(responses: JsonObject): void {
    for (const [key, response] of Object.entries(responses)) {
      const question = this.#questions.get(key);
      if (!question || !isObject(response)) continue;
      this.#questions.delete(key);
      question.resolve(response);
    }
  }

  /**
   * Waits for the call's result or the server's questions, and returns these as an `input_required` result.
   */
  async next(call: ProxyCall): Promise<ProxyResult> {
    clearTimeout(this.#timer);
    this.currentCall = call;
    const cancel = () => this.abort(call.signal.reason);
    call.signal.addEventListener('abort', cancel, { once: true });
    if (!this.#outcome && this.#questions.size === 0) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    call.signal.removeEventListener('abort', cancel);
    this.#wake = undefined;
    this.currentCall = undefined;
    if (this.#outcome) return this.#delivered(this.#outcome);
    const expired = () =>
      this.abort(
        new Error(`The client has not answered the questions of the server within ${answerTimeoutMs} ms`),
      );
    this.#timer = setTimeout(expired, answerTimeoutMs);
    this.#timer.unref();
    return { result: this.#inputRequired(), revision: '2026-07-28' };
  }

  /** Cancels the call at its server, and rejects the server's requests that wait for the client's answer. */
  abort(reason: unknown): void {
    this.#aborted.abort(reason);
    this.#end({ error: reason });
    for (const { reject } of this.#questions.values()) reject(reason);
    this.#questions.clear();
    this.#finish();
  }

  #end(outcome: Outcome): void {
    if (this.#outcome) return;
    this.#outcome = outcome;
    this.takes = () => false;
    this.#wake?.();
  }

  #delivered(outcome: Outcome): ProxyResult {
    this.#finish();
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }

  #finish(): void {
    clearTimeout(this.#timer);
    this.#over([...this.#questions.values()]);
    this.#questions.clear();
  }

  #inputRequired(): JsonObject {
    const requests = [...this.#questions].map(([key, { request }]) => {
      // `elicitationId` is left out: it belongs to a notification that 2026-07-28 does not have.
      const { elicitationId: _, ...params } = request.params ?? {};
      return [key, { method: request.method, ...(request.params && { params }) }];
    });
    return {
      resultType: 'input_required',
      inputRequests: Object.fromEntries(requests),
      requestState: this.id,
    };
  }
}
