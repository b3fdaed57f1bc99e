import type { JsonObject } from '../jsonrpc/message.ts';
import type { Inputs } from './input.ts';

/** The eight levels of RFC 5424, least important first. */
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

/** One request being answered, as its handler sees it. */
export interface Call {
  /** Fires when the client cancels the request or is gone. Nothing is sent for the request after that. */
  readonly signal: AbortSignal;
  /** Tells a client that asked for it how far the work is. `done` must grow; a value that does not is not sent. */
  readonly progress: (done: number, total?: number, message?: string) => void;
  /** Sends a log message to a client that wants this level; the server's definition must say `logging: true`. */
  readonly log: (level: LogLevel, data: unknown, logger?: string) => void;
  /** Answers to what this handler asked for with `inputRequired`, by its keys. Empty the first time. */
  readonly inputs: Inputs;
  /** What this handler put beside its questions; undefined the first time. Sealed on its way through the client. */
  readonly state: unknown;
  /**
   * Goes on as a task from here, in a tool that says `task`: a client that knows tasks has its answer now and
   * comes back for the result; any other waits for it. Resolves once the task is kept. What the handler
   * does before (questions, quick answers, refusals) is answered at once. `message` says what is going on.
   */
  readonly asTask: (message?: string) => Promise<void>;
  /** What the client says it can do, in the newest revision's words. */
  readonly clientCapabilities: JsonObject;
}
