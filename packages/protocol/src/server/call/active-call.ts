import { type Caller, type CallingClient, type Sender, unknownSender } from '../../define/caller.ts';
import { type CompletionCall, type LogLevel, logLevels, type ResourceCall } from '../../define/call.ts';
import type { Inputs } from '../../define/input/input.ts';
import type { Observation } from '../../define/observer.ts';
import { noteEffect, type RepeatableCall } from '../../define/repeated-effect.ts';
import { type Id, type JsonObject, notificationText } from '../../jsonrpc/message.ts';
import type { Revision } from '../../revisions/revision.ts';
import type { ClientRequests } from './client-requests.ts';
import type { Outlet } from './outlet.ts';
import { Rounds } from './rounds.ts';

/** The client that sent a request, as its `initialize` or the `_meta` of the request describes it. */
export interface Peer {
  readonly revision: Revision;
  readonly capabilities: JsonObject;
  /** The client's description of itself; undefined if it gave none. */
  readonly info?: JsonObject | undefined;
  /** The lowest log level that the client wants; undefined for none. */
  readonly logLevel: LogLevel | undefined;
  /** The principal of the client's token; undefined without authorization. */
  readonly principal?: string | undefined;
  /** Sends requests to the client. Undefined in revision 2026-07-28, where a server cannot send requests. */
  readonly requests: ClientRequests | undefined;
  /** Warns the operator of the server. */
  readonly warn?: ((message: string) => void) | undefined;
}

/**
 * Asks the client questions and resolves with the answers. The questions are sent in the result of the
 * request or, if the request became a task, in the task.
 */
export type Ask = (
  questions: readonly (readonly [
    key: string,
    question: { readonly method: string; readonly params?: JsonObject },
  ])[],
) => Promise<Inputs>;

const noInputs: Inputs = Object.freeze({});
const noArguments: CompletionCall['arguments'] = Object.freeze({});
const noContext = Object.freeze({});
const noMeta: JsonObject = Object.freeze({});
const noHeaders: CallingClient['headers'] = Object.freeze({});

/** A request that is being answered: the handler's {@link Call}, and members that only this package uses. */
export class ActiveCall implements ResourceCall<object>, CompletionCall<object>, RepeatableCall {
  readonly id: Id;
  readonly peer: Peer;
  readonly outlet: Outlet;
  readonly sender: Sender;
  /** The `context` of the handler; not final until the server's lists and the client's roots are loaded. */
  context: object;
  uri = '';
  arguments: CompletionCall['arguments'] = noArguments;
  meta: JsonObject = noMeta;
  inputs: Inputs = noInputs;
  state: unknown = undefined;
  /** Whether the handler can run again with answers: lists, completions and watches cannot. */
  mayAsk = false;
  /** The questions of `ask` and the results of `once`; undefined until the handler uses one of them. */
  rounds: Rounds | undefined = undefined;
  /** The JSON text of the request, whose parameters a proxy passes on unchanged; only set for a proxy. */
  text: string | undefined = undefined;
  /** False once the call is answered or cancelled: nothing more is sent for it. */
  open = true;
  /** Called when the client cancels the request or disconnects. */
  cancelled: ((reason?: unknown) => void) | undefined;
  /** Ends a call that stays open, such as `subscriptions/listen`; the call then returns its result. */
  finish: (() => void) | undefined;
  /** Called when the caller has got other scopes; set only by `subscriptions/listen`. */
  renewed: ((caller: Caller) => void) | undefined;
  /** The number of resources that the call watches. */
  subscriptions = 0;
  /** The observation of this request; undefined if the server has no observer. */
  observation: Observation | undefined = undefined;
  #aborted: { readonly reason: unknown } | undefined;
  readonly #progressToken: string | number | undefined;
  #lastProgress: number | undefined;
  #controller: AbortController | undefined;

  constructor(
    id: Id,
    peer: Peer,
    outlet: Outlet,
    progressToken: string | number | undefined,
    context: object = noContext,
    sender: Sender = unknownSender,
  ) {
    this.id = id;
    this.peer = peer;
    this.outlet = outlet;
    this.context = context;
    this.sender = sender;
    this.#progressToken = progressToken;
  }

  get revision(): Revision {
    return this.peer.revision;
  }

  get caller(): Caller | undefined {
    return this.sender.caller;
  }

  get client(): CallingClient {
    const { sessionId, headers = noHeaders } = this.sender;
    return { revision: this.revision.version, info: this.peer.info, sessionId, headers };
  }

  get clientCapabilities(): JsonObject {
    return this.peer.capabilities;
  }

  get signal(): AbortSignal {
    // Made only when a handler uses the signal: few do, and a controller costs more than a small call.
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort(this.#aborted.reason);
    }
    return this.#controller.signal;
  }

  /** Rejects. The class for calls of a tool with `task` overrides this method. */
  asTask(_message?: string): Promise<void> {
    return Promise.reject(new Error('`asTask` is only for a tool whose definition has `task`'));
  }

  /** The function that asks questions in the task, if the request became a task; otherwise undefined. */
  get askInstead(): Ask | undefined {
    return undefined;
  }

  get ask(): ResourceCall['ask'] {
    return this.#asking().ask;
  }

  get once(): ResourceCall['once'] {
    return this.#asking().once;
  }

  [noteEffect](what: string): void {
    if (this.mayAsk) this.#asking().effect(what);
  }

  #asking(): Rounds {
    if (!this.mayAsk)
      throw new Error('`ask` and `once` are only for handlers of tools, prompts, resources and extensions');
    return (this.rounds ??= new Rounds());
  }

  get progress(): ResourceCall['progress'] {
    return (done, total, message) => this.#sendProgress(done, total, message);
  }

  get log(): ResourceCall['log'] {
    return (level, data, logger) => this.#sendLog(level, data, logger);
  }

  #sendProgress(done: number, total: number | undefined, message: string | undefined): void {
    if (this.#progressToken === undefined || !this.open || !Number.isFinite(done)) return;
    if (this.#lastProgress !== undefined && done <= this.#lastProgress) return;
    // While the client reads too slowly, only the last step of the progress is sent.
    if (this.outlet.congested && done !== total) return;
    this.#lastProgress = done;
    this.notify('notifications/progress', {
      progressToken: this.#progressToken,
      progress: done,
      ...(total !== undefined && Number.isFinite(total) && { total }),
      ...(message !== undefined && this.revision.progressMessage && { message }),
    });
  }

  #sendLog(level: LogLevel, data: unknown, logger: string | undefined): void {
    const wanted = this.peer.logLevel;
    if (wanted === undefined || logLevels.indexOf(level) < logLevels.indexOf(wanted)) return;
    // Logs are dropped while the client does not read, because they must not fill the memory.
    if (this.outlet.congested) return;
    this.notify('notifications/message', { level, ...(logger !== undefined && { logger }), data });
  }

  /** Sends a notification; returns false if the call is answered already. */
  notify(method: string, params: JsonObject): boolean {
    if (this.open) this.outlet.notify(notificationText(method, params));
    return this.open;
  }

  /** Marks the call as answered. */
  end(): void {
    this.open = false;
  }

  /** Aborts the signal; the call is still answered. */
  abort(reason: unknown): void {
    this.#aborted ??= { reason };
    this.#controller?.abort(reason);
  }

  /** Ends the call without an answer and aborts its signal. */
  cancel(reason?: unknown): void {
    if (!this.open) return;
    this.open = false;
    this.abort(reason);
    this.cancelled?.(reason);
    this.observation?.ended({ kind: 'cancelled' });
  }
}
