import { stackOf } from './error-text.ts';

/**
 * Calls a function whose errors no caller could catch: passes an error that it throws, or with which its
 * promise rejects, to `failed`.
 */
export function callSafely(callback: () => unknown, failed: (error: unknown) => void): void {
  try {
    const done = callback();
    if (done instanceof Promise) done.catch(failed);
  } catch (error) {
    failed(error);
  }
}

/** Returns a function that calls `onWarning` and never throws: errors become warnings of the process. */
export function safeWarn(onWarning: (message: string) => unknown): (message: string) => void {
  const failed = (error: unknown) => emitWarning(`The callback "onWarning" has failed: ${stackOf(error)}`);
  return (message) => callSafely(() => onWarning(message), failed);
}

/** Emits a warning of the process, which the operator sees; does nothing in a runtime without `process`. */
export function emitWarning(message: string): void {
  const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> };
  process?.emitWarning?.(message);
}
