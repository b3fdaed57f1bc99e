/**
 * Calls a function of a host or of an author where no caller could catch its error: `failed` gets what
 * it throws, and the reason of a promise that it returns.
 */
export function callSafely(callback: () => unknown, failed: (error: unknown) => void): void {
  try {
    const done = callback();
    if (done instanceof Promise) done.catch(failed);
  } catch (error) {
    failed(error);
  }
}
