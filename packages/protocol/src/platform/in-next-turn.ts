/**
 * Calls `run` in the next turn of the event loop; runtimes without `setImmediate` have the
 * shortest timer instead.
 */
export function inNextTurn(run: () => void): void {
  if (typeof setImmediate === 'function') setImmediate(run);
  else setTimeout(run, 0);
}
