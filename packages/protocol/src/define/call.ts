import type { JsonObject } from '../jsonrpc/message.ts';
import type { Caller, CallingClient } from './caller.ts';
import type { Inputs } from './input.ts';

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
 * server's context that the handler uses, `Who` the type that the author's `verify` returns.
 */
export interface Call<out Context = unknown, out Who = Caller | undefined> {
  /** The `context` of the server. */
  readonly context: Context;
  /**
   * Who sends the request. Undefined without authorization, over stdio unless `serveStdio` has a `caller`.
   */
  readonly caller: Who;
  /** The program that sends the request; it describes itself. */
  readonly client: CallingClient;
  /** Aborted when the client cancels or disconnects. Nothing is sent for the request after that. */
  readonly signal: AbortSignal;
  /** Reports progress to a client that requested it. Drops a `done` not above the previous one. */
  readonly progress: (done: number, total?: number, message?: string) => void;
  /** Sends a log message to a client that wants this level. Requires the server's `logging: true`. */
  readonly log: (level: LogLevel, data: unknown, logger?: string) => void;
  /** The client's answers to the questions of `inputRequired`, by key. Empty on the first run. */
  readonly inputs: Inputs;
  /** The `state` given to `inputRequired`, which the client stores encrypted; undefined on the first run. */
  readonly state: unknown;
  /**
   * Continues the call of a tool with `task` as a task. A client that supports tasks fetches the result
   * later; others wait. Resolves when the task is stored. What the handler returns or throws before that
   * (questions, quick answers, errors) is answered directly. `message` is the task's status message.
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

/** Suggestions for one value, best first. At most 100 are sent, with a plain list's length as the total. */
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
