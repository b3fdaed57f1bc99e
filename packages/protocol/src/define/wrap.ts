import type { Call } from './call.ts';
import type { Caller } from './caller.ts';
import type { InputRequired } from './input/input.ts';

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
    | 'completion/complete'
    // A method of an extension.
    | (string & {});
  /**
   * The name of the tool or prompt, the URI of the resource, or the name of the argument to complete; empty
   * for a list, and the id of the extension for a method of an extension.
   */
  readonly name: string;
  /**
   * The validated arguments of a tool or prompt, the variables of a resource, or the validated params of an
   * extension's method; undefined for lists and completions.
   */
  readonly args: unknown;
  /** What the handler gets as its last parameter. */
  readonly call: Call<Context, Who>;
  /** Aborts `call.signal`, so that the handler can end early. The request is still answered. */
  abort(reason: unknown): void;
}

/**
 * Runs around a handler. `next` runs the remaining functions of `wrap` and then the handler. It returns the
 * value of the handler, or a promise of the value; for a list, the value is the array of its items. What this
 * function returns replaces that value. If the handler asks for input, `next` returns an `InputRequired`, and
 * the function runs again when the client has answered.
 */
export type Wrap<in Context = never, in Who = Caller | undefined> = (
  wrapped: WrappedCall<Context, Who>,
  next: () => unknown,
) => unknown;

/** The part of a call that has the questions of `ask`; undefined until the handler asks one. */
interface Asking {
  readonly rounds?: { take(): Promise<InputRequired | undefined> } | undefined;
}

/** The questions of `ask` that ended a run of the handler with this error; throws any other error. */
export async function questionsOf({ rounds }: Asking, error: unknown): Promise<InputRequired> {
  const questions = await rounds?.take();
  if (questions) return questions;
  throw error;
}

/**
 * Marks the rejection of a promise as handled: a function may throw, or return, before it has awaited `next`,
 * and the error of the handler must not end the process then.
 */
function handled(value: unknown): unknown {
  if (value instanceof Promise) value.catch(() => undefined);
  return value;
}

/** Runs a handler with functions around it, the first one outermost. */
export function runThrough(
  wraps: readonly Wrap<object>[],
  wrapped: WrappedCall<object>,
  run: () => unknown,
): unknown {
  const from = (index: number): unknown => {
    const wrap = wraps[index];
    if (wrap) return wrap(wrapped, () => handled(from(index + 1)));
    const value = run();
    return value instanceof Promise
      ? value.then(undefined, (error: unknown) => questionsOf(wrapped.call as Asking, error))
      : value;
  };
  return from(0);
}
