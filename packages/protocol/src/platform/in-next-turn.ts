/**
 * Calls `run` in the next turn of the event loop: by `setImmediate`, or by a timer of 0 ms in runtimes
 * without it.
 */
export function inNextTurn(run: () => void): void {
  if (typeof setImmediate === 'function') setImmediate(run);
  else setTimeout(run, 0);
}
