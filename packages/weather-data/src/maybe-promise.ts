/** A value, or a promise of it: an answer that is in memory is returned without a turn of the event loop. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Passes a value on: at once when it is no promise. */
export function thenMaybe<Value, Result>(
  value: MaybePromise<Value>,
  on: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> {
  return value instanceof Promise ? value.then(on) : on(value);
}
