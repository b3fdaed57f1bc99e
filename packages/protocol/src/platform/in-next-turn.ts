/** Calls `run` in the next turn of the event loop, also in runtimes without `setImmediate`. */
export function inNextTurn(run: () => void): void {
  if (typeof setImmediate === 'function') setImmediate(run);
  else setTimeout(run, 0);
}
