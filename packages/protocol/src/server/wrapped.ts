import type { Wrap, WrappedCall } from '../define/wrap.ts';
import type { ActiveCall } from './call/active-call.ts';

/** The functions around each handler, first those that run first; undefined if there are none. */
export type Wraps = readonly Wrap<object>[] | undefined;

/** Runs a handler with the functions of the server around it. */
export function runWrapped(
  wraps: Wraps,
  call: ActiveCall,
  { method, name, args }: Pick<WrappedCall, 'method' | 'name' | 'args'>,
  run: () => unknown,
): unknown {
  if (!wraps) return run();
  const wrapped: WrappedCall<object> = { method, name, args, call, abort: (reason) => call.abort(reason) };
  const from = (index: number): unknown => {
    const wrap = wraps[index];
    return wrap ? wrap(wrapped, () => from(index + 1)) : run();
  };
  return from(0);
}
