import { randomUUID } from 'node:crypto';
import type { JsonObject, ProxyCall, ProxyResult } from '@mcp/protocol/proxy';
import type { ServerRequest } from './server-connection.ts';

/** How long a call waits for the answers of its client. */
const answerTimeoutMs = 10 * 60_000;

interface Question {
  readonly request: ServerRequest;
  readonly resolve: (answer: JsonObject) => void;
  readonly reject: (reason: Error) => void;
}

type Outcome = { readonly value: ProxyResult } | { readonly error: unknown };

/**
 * A call of a client of 2026-07-28 at an older server, which asks by requests of its own. The call goes on at the
 * server while the client gets the questions as a result, and sends the call again with the answers.
 */
export class HeldCall {
  /** The `requestState`: whoever has it goes on with the call. */
  readonly id = randomUUID();
  /** The request of the client that waits for the call at the moment. */
  carrier: ProxyCall | undefined;
  readonly #questions = new Map<string, Question>();
  readonly #aborted = new AbortController();
  readonly #over: () => void;
  #outcome: Outcome | undefined;
  #wake: (() => void) | undefined;
  #nextKey = 1;
  #timer: NodeJS.Timeout | undefined;

  /** Starts the call; `over` is called when it has ended. */
  constructor(start: (signal: AbortSignal) => Promise<ProxyResult>, over: () => void) {
    this.#over = over;
    void start(this.#aborted.signal).then(
      (value) => this.#end({ value }),
      (error: unknown) => this.#end({ error }),
    );
  }

  /** Asks the client, with the next result that it gets. */
  ask(request: ServerRequest): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      const key = `${request.method}-${this.#nextKey++}`;
      this.#questions.set(key, { request, resolve, reject });
      request.signal.addEventListener('abort', () => this.#questions.delete(key), { once: true });
      this.#wake?.();
    });
  }

  /** Takes the answers of the client. */
  answer(responses: JsonObject): void {
    for (const [key, response] of Object.entries(responses)) {
      const question = this.#questions.get(key);
      if (!question || typeof response !== 'object' || response === null) continue;
      this.#questions.delete(key);
      question.resolve(response as JsonObject);
    }
  }

  /** The result of the call, or the questions that come before it. */
  async next(call: ProxyCall): Promise<ProxyResult> {
    clearTimeout(this.#timer);
    this.carrier = call;
    const cancel = () => this.abort(call.signal.reason);
    call.signal.addEventListener('abort', cancel, { once: true });
    try {
      if (!this.#outcome && this.#questions.size === 0)
        await new Promise<void>((resolve) => (this.#wake = resolve));
    } finally {
      call.signal.removeEventListener('abort', cancel);
      this.#wake = undefined;
      this.carrier = undefined;
    }
    if (this.#outcome) {
      if ('error' in this.#outcome) throw this.#outcome.error;
      return this.#outcome.value;
    }
    this.#timer = setTimeout(() => this.abort(new Error('The client has not answered')), answerTimeoutMs);
    this.#timer.unref();
    return { result: this.#inputRequired(), protocolVersion: '2026-07-28' };
  }

  /** Cancels the call at its server, and refuses the questions. */
  abort(reason: unknown): void {
    this.#aborted.abort(reason);
    this.#end({ error: reason });
  }

  #end(outcome: Outcome): void {
    if (this.#outcome) return;
    this.#outcome = outcome;
    clearTimeout(this.#timer);
    for (const { reject } of this.#questions.values()) reject(new Error('The call has ended'));
    this.#questions.clear();
    this.#wake?.();
    this.#over();
  }

  #inputRequired(): JsonObject {
    const requests = [...this.#questions].map(([key, { request }]) => {
      // The id belongs to a notification that 2026-07-28 does not have.
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
