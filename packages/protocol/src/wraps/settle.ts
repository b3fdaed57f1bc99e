/**
 * Runs `next`, then one of the two functions, with the value or the error. Stays synchronous if `next` is,
 * because a promise costs more than the work of most calls.
 */
export function settle(
  next: () => unknown,
  done: (value: unknown) => unknown,
  failed: (error: unknown) => unknown,
): unknown {
  let value: unknown;
  try {
    value = next();
  } catch (error) {
    return failed(error);
  }
  return value instanceof Promise ? value.then(done, failed) : done(value);
}
