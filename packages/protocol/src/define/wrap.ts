import type { Call } from './call.ts';
import type { Caller } from './caller.ts';

/** A call of a handler, or of a list, as the functions in `wrap` of a server see it. */
export interface WrappedCall<out Context = unknown, out Who = Caller | undefined> {
  /** The method of the request, such as `tools/call`. */
  readonly method:
    | 'tools/list'
    | 'tools/call'
    | 'prompts/list'
    | 'prompts/get'
    | 'resources/list'
    | 'resources/templates/list'
    | 'resources/read'
    | 'completion/complete';
  /**
   * The name of the tool or prompt, the URI of the resource, or the name of the argument to complete; empty
   * for a list.
   */
  readonly name: string;
  /** The validated arguments of a tool or prompt, or the variables of a resource; undefined for others. */
  readonly args: unknown;
  /** What the handler gets as its last parameter. */
  readonly call: Call<Context, Who>;
  /** Aborts `call.signal`, so that the handler can end early. The request is still answered. */
  abort(reason: unknown): void;
}

/**
 * Runs around a handler. `next` runs the rest and returns the value of the handler, or a promise of it; for a
 * list, the array of its items. The returned value takes its place. When a handler asks questions
 * (`inputRequired`), that is a value too, and the function runs again with the answers.
 */
export type Wrap<in Context = never, in Who = Caller | undefined> = (
  wrapped: WrappedCall<Context, Who>,
  next: () => unknown,
) => unknown;
