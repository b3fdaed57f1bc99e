import type { JsonObject } from '../jsonrpc/message.ts';
import type { Caller, CallingClient } from './caller.ts';
import type {
  Answer,
  FormRequest,
  Inputs,
  RootsRequest,
  SamplingRequest,
  UrlRequest,
} from './input/input.ts';

/** The eight log levels of RFC 5424, least important first. */
export const logLevels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

export type LogLevel = (typeof logLevels)[number];

/**
 * The request that a handler is answering: the last parameter of every handler. `Context` is the part of the
 * server's context that the handler uses, `Who` the type that `authorization.verify` returns.
 */
export interface Call<out Context = unknown, out Who = Caller | undefined> {
  /** The `context` of the server. */
  readonly context: Context;
  /**
   * Who sends the request. Undefined without authorization; over stdio, the `caller` given to `serveStdio`.
   */
  readonly caller: Who;
  /** The program that sends the request; it describes itself. */
  readonly client: CallingClient;
  /** The `_meta` of the request, which is not checked. */
  readonly meta: JsonObject;
  /** Aborted when the client cancels or disconnects. Nothing is sent for the request after that. */
  readonly signal: AbortSignal;
  /** Reports progress to a client that requested it. Drops a `done` not above the previous one. */
  readonly progress: (done: number, total?: number, message?: string) => void;
  /** Sends a log message to a client that wants this level. Requires the server's `logging: true`. */
  readonly log: (level: LogLevel, data: unknown, logger?: string) => void;
  /**
   * Asks the client (an input request of the specification), and resolves with its answer. `key` names the
   * question in this call. If there is no answer yet, `ask` throws; let this error leave the handler. When
   * the client has answered, the handler runs again from its start, and `ask` resolves with the answer. Later
   * runs get the earlier answers again, unless the question with the same `key` has changed. Throws an
   * `Error` for a key that was used before in this run, and for an answer that does not match the form.
   * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
   */
  readonly ask: <Question extends FormRequest | UrlRequest | SamplingRequest | RootsRequest>(
    key: string,
    question: Question,
  ) => Promise<Answer<Question>>;
  /**
   * Runs `work` once, even if the handler runs again, and resolves with the same result in each later run.
   * For work before an `ask` that must not be repeated. The result must be a JSON value: the client gets it
   * encrypted, and sends it back with its answer.
   */
  readonly once: <Result>(key: string, work: () => Result | Promise<Result>) => Promise<Result>;
  /** The client's answers to the questions of `inputRequired`, by key. Empty on the first run. */
  readonly inputs: Inputs;
  /**
   * The `state` given to `inputRequired`: the client gets it encrypted, and sends it back with the answers.
   * Undefined on the first run.
   */
  readonly state: unknown;
  /**
   * For a tool that sets `task`: continues the call as a task. A client that supports tasks fetches the
   * result later; others wait. Resolves when the task is stored. What the handler returns or throws before
   * that is the response to the call itself. `message` is the task's status message.
   */
  readonly asTask: (message?: string) => Promise<void>;
  /** The client's capabilities, in the form of the newest revision. */
  readonly clientCapabilities: JsonObject;
}

/** The call of a resource's `read` or `watch`. */
export interface ResourceCall<out Context = unknown, out Who = Caller | undefined> extends Call<
  Context,
  Who
> {
  /** The URI that was requested. */
  readonly uri: string;
}

/** The call of a completer. */
export interface CompletionCall<out Context = unknown, out Who = Caller | undefined> extends Call<
  Context,
  Who
> {
  /** The other arguments or variables that already have a value. */
  readonly arguments: { readonly [name: string]: string };
}

/** Suggestions for one value, best first. At most 100 are sent; the length of a plain list is the `total`. */
export type Suggestions =
  | readonly string[]
  | { readonly values: readonly string[]; readonly total?: number; readonly hasMore?: boolean };

/** Suggests values that start with, or otherwise match, the text `typed` so far. */
export type Completer<Context, Who = Caller | undefined> = (
  typed: string,
  call: CompletionCall<Context, Who>,
) => Suggestions | Promise<Suggestions>;

/** A completer for each argument or variable that has suggestions. */
export type Completers<Names extends string, Context, Who = Caller | undefined> = {
  readonly [Name in Names]?: Completer<Context, Who>;
};
