import { isObject } from '@mcp/kit';
import { type HostHandlers, RpcError } from '@mcp/protocol/client';

/** A question of a server, which the person at the page answers. */
export interface Question {
  readonly number: number;
  readonly server: string;
  readonly kind: 'elicitation' | 'sampling';
  /** The parameters of the server's request. */
  readonly params: object;
}

export interface QuestionEvents {
  asked(question: Question): void;
  /** Called when a question was answered, or its server no longer waits. */
  closed(number: number): void;
}

/** The JSON-RPC error code for a request that the user has refused. */
const refusedByUser = -1;

/** The questions of servers that wait for the person at the page. */
export class Questions {
  readonly #events: QuestionEvents;
  readonly #open = new Map<
    number,
    { readonly question: Question; readonly resolve: (answer: unknown) => void }
  >();
  #last = 0;

  constructor(events: QuestionEvents) {
    this.#events = events;
  }

  get open(): readonly Question[] {
    return Array.from(this.#open.values(), ({ question }) => question);
  }

  /** Gives the answer to a question; false if no such question is open. */
  answer(number: number, answer: unknown): boolean {
    const found = this.#open.get(number);
    found?.resolve(answer);
    return found !== undefined;
  }

  /** The functions with which the client of a server answers its requests. */
  handlersFor(
    server: string,
  ): Required<Pick<HostHandlers, 'elicit' | 'sample' | 'elicitsUrls' | 'samplesTools'>> {
    return {
      elicitsUrls: true,
      samplesTools: true,
      elicit: async (params, { signal }) => {
        const answer = await this.#ask({ server, kind: 'elicitation', params }, signal);
        const { action, content } = isObject(answer) ? answer : {};
        if (action !== 'accept') return { action: action === 'decline' ? 'decline' : 'cancel' };
        return { action, ...(isObject(content) && { content }) } as Awaited<
          ReturnType<NonNullable<HostHandlers['elicit']>>
        >;
      },
      sample: async (params, { signal }) => {
        const answer = await this.#ask({ server, kind: 'sampling', params }, signal);
        if (!isObject(answer)) throw new RpcError(refusedByUser, 'The user has refused the request');
        return answer as Awaited<ReturnType<NonNullable<HostHandlers['sample']>>>;
      },
    };
  }

  async #ask(about: Omit<Question, 'number'>, signal: AbortSignal): Promise<unknown> {
    const number = ++this.#last;
    const question = { ...about, number };
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const abort = () => reject(signal.reason as Error);
    this.#open.set(number, { question, resolve });
    signal.addEventListener('abort', abort);
    this.#events.asked(question);
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', abort);
      this.#open.delete(number);
      this.#events.closed(number);
    }
  }
}
