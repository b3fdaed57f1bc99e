import { Buffer } from 'node:buffer';
import { messageOf } from '@mcp/kit';
import type { Call } from '../../define/call.ts';
import {
  acceptedContent,
  InputRequired,
  type FormRequest,
  type InputRequest,
} from '../../define/input/input.ts';
import type { InputResponse, Inputs } from '../../define/input/input.ts';

/** The maximum length of a result of `once` as JSON: the client sends it back with each answer. */
const maxResultLength = 100_000;

/**
 * The data that one round of a request passes on to the next. The client gets it encrypted, and sends it back
 * together with its answers.
 */
export interface Kept {
  /** The number of rounds so far. */
  readonly rounds: number;
  /** The digests of the questions that were sent, by key: only these may be answered. */
  readonly sent: { readonly [key: string]: string };
  readonly answers: { readonly [key: string]: Answered };
  /** The results of `once`, each in an array, which is empty for undefined. */
  readonly results: { readonly [key: string]: readonly unknown[] };
}

/** An answer, with the digest of its question: it is no answer to another question with the same key. */
interface Answered {
  readonly question: string;
  readonly response: InputResponse;
}

/**
 * Thrown by `ask` if its question has no answer yet. It ends the run of the handler; the question is then
 * sent to the client.
 */
export class Unanswered extends Error {
  override name = 'Unanswered';

  constructor(key: string) {
    super(
      `The question "${key}" has no answer yet. The handler runs again with the answer; let this error leave it`,
    );
  }
}

/** The runs of one handler for one request. Each run may ask questions; the next run gets the answers. */
export class Rounds {
  readonly #answers = new Map<string, Answered>();
  readonly #results = new Map<string, readonly unknown[]>();
  readonly #used = new Set<string>();
  /** The work of `once` that is not done yet. */
  readonly #working = new Set<Promise<unknown>>();
  /** The number of functions of `once` that run now. */
  #onces = 0;
  /** What this run has done outside of `once`, and a further run would do again; undefined for nothing. */
  #effect: string | undefined;
  #unanswered = new Map<string, InputRequest>();
  #sent = new Map<string, string>();
  #lastSent: ReadonlyMap<string, string> = new Map();
  #count = 0;

  /** Whether the question with this key was sent in the last round. */
  asked(key: string): boolean {
    return this.#lastSent.has(key);
  }

  get count(): number {
    return this.#count;
  }

  /** Continues the rounds of an earlier request with the answers to its questions. */
  static async from(kept: Kept, inputs: Inputs): Promise<Rounds> {
    const rounds = new Rounds();
    rounds.#count = kept.rounds;
    rounds.#sent = new Map(Object.entries(kept.sent));
    for (const [key, answered] of Object.entries(kept.answers)) rounds.#answers.set(key, answered);
    for (const [key, result] of Object.entries(kept.results)) rounds.#results.set(key, result);
    rounds.next(inputs);
    return rounds;
  }

  readonly ask: Call['ask'] = (key, question) => {
    const answer = this.#ask(key, question);
    // A handler may ask two questions and await only the first. The rejection of the second must not end the
    // process as an unhandled rejection.
    answer.catch(() => undefined);
    return answer as ReturnType<typeof this.ask<typeof question>>;
  };

  readonly once: Call['once'] = async <Result>(key: string, work: () => Result | Promise<Result>) => {
    this.#use(`once ${key}`, `"${key}" of \`once\``);
    const earlier = this.#results.get(key);
    if (earlier) return earlier[0] as Result;
    const working = this.#work(key, work);
    this.#working.add(working);
    try {
      return (await working) as Result;
    } finally {
      this.#working.delete(working);
    }
  };

  /** Remembers an effect, after which this run must not ask. Work of `once` does not happen again. */
  effect(what: string): void {
    if (this.#onces === 0) this.#effect ??= what;
  }

  async #work(key: string, work: () => unknown): Promise<unknown> {
    this.#onces++;
    try {
      const result = asJson(key, await work());
      this.#results.set(key, result);
      return result[0];
    } finally {
      this.#onces--;
    }
  }

  async #ask(key: string, question: InputRequest): Promise<unknown> {
    this.#use(`ask ${key}`, `The question "${key}"`);
    const answered = this.#answers.get(key);
    if (answered?.question !== undefined && answered.question === (await digest(question)))
      return readAnswer(question, answered.response);
    if (this.#effect !== undefined)
      throw new Error(
        `The question "${key}" comes after ${this.#effect}, and the handler runs again with the answer: ask first, or put this into \`once\``,
      );
    this.#unanswered.set(key, question);
    throw new Unanswered(key);
  }

  #use(key: string, shown: string): void {
    if (this.#used.has(key)) throw new Error(`${shown} was used before in this call; give each its own key`);
    this.#used.add(key);
  }

  /**
   * The questions of the run that has ended, which are sent now; undefined if it asked none. Work of `once`
   * that the run has begun ends first, because it must not begin again in the next run.
   */
  async take(): Promise<InputRequired | undefined> {
    while (this.#working.size > 0) await Promise.allSettled(this.#working);
    if (this.#unanswered.size === 0) return undefined;
    const questions = this.#unanswered;
    this.#unanswered = new Map();
    for (const [key, question] of questions) this.#sent.set(key, await digest(question));
    return new InputRequired(Object.fromEntries(questions), undefined);
  }

  /** Begins the next run, with the answers to the questions that were sent. */
  next(inputs: Inputs): void {
    this.#count++;
    this.#used.clear();
    this.#effect = undefined;
    for (const [key, question] of this.#sent) {
      const response = Object.hasOwn(inputs, key) ? inputs[key] : undefined;
      if (response) this.#answers.set(key, { question, response });
    }
    this.#lastSent = this.#sent;
    this.#sent = new Map();
  }

  get kept(): Kept {
    return {
      rounds: this.#count,
      sent: Object.fromEntries(this.#sent),
      answers: Object.fromEntries(this.#answers),
      results: Object.fromEntries(this.#results),
    };
  }
}

/** The result of `once` as the client stores it, in an array, which is empty for undefined. */
function asJson(key: string, result: unknown): readonly unknown[] {
  let text: string | undefined;
  try {
    text = JSON.stringify(result);
  } catch (error) {
    throw new Error(`The result of \`once\` "${key}" must be a JSON value: ${messageOf(error)}`, {
      cause: error,
    });
  }
  if (text === undefined) return [];
  if (text.length > maxResultLength)
    throw new Error(
      `The result of \`once\` "${key}" is too long: ${text.length} characters; at most ${maxResultLength}`,
    );
  return [JSON.parse(text)];
}

function readAnswer(question: InputRequest, response: InputResponse): unknown {
  const { method } = question;
  if (method === 'elicitation/create' && 'action' in response)
    return 'form' in question
      ? acceptedContent(response, (question as FormRequest).form)
      : response.action === 'accept';
  if (method === 'sampling/createMessage' && 'model' in response) return response;
  if (method === 'roots/list' && 'roots' in response) return response;
  throw new Error(`The client sent the result of another method as the answer to ${method}`);
}

async function digest({ method, params }: InputRequest): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify([method, params]));
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('base64url');
}
