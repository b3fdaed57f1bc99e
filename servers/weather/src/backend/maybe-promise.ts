/** A value that is there, or will be: answers that are known are given without waiting a turn. */
export type Maybe<Value> = Value | Promise<Value>;

/** Goes on with a value at once, where it is there. */
export function go<Value, Result>(value: Maybe<Value>, on: (value: Value) => Maybe<Result>): Maybe<Result> {
  return value instanceof Promise ? value.then(on) : on(value);
}
