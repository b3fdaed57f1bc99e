import { runThrough, type Wrap, type WrappedCall } from '../define/wrap.ts';
import type { ActiveCall } from './call/active-call.ts';

/** The functions around each handler, in the order in which they run; undefined if there are none. */
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
  return runThrough(wraps, wrapped, run);
}
