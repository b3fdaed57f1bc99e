/**
 * Runs `next`, then `onValue` or `onError`. Stays synchronous if `next` is, because a promise costs more than
 * the work of most calls.
 */
export function settle(
  next: () => unknown,
  onValue: (value: unknown) => unknown,
  onError: (error: unknown) => unknown,
): unknown {
  let value: unknown;
  try {
    value = next();
  } catch (error) {
    return onError(error);
  }
  return value instanceof Promise ? value.then(onValue, onError) : onValue(value);
}
