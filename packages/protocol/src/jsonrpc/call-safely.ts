import { emitWarning } from '../platform/emit-warning.ts';
import { stackOf } from './error.ts';

/**
 * Calls a function of a host or of an author where no caller could catch its error: `failed` gets what the
 * function throws, or the reason with which its promise rejects.
 */
export function callSafely(callback: () => unknown, failed: (error: unknown) => void): void {
  try {
    const done = callback();
    if (done instanceof Promise) done.catch(failed);
  } catch (error) {
    failed(error);
  }
}

/**
 * Returns a function that calls `warn` and never throws: no caller could catch an error of `warn`, so it
 * becomes a warning of the process.
 */
export function safeWarn(warn: (message: string) => unknown): (message: string) => void {
  const failed = (error: unknown) => emitWarning(`The callback "onWarning" has failed: ${stackOf(error)}`);
  return (message) => callSafely(() => warn(message), failed);
}
