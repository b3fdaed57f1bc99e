import { emitWarning } from '../platform/emit-warning.ts';
import { callSafely } from './call-safely.ts';
import { stackOf } from './error.ts';

/**
 * Returns `warn` in a form that does not fail: no caller could catch its error, which becomes
 * a warning of the process.
 */
export function safeWarn(warn: (message: string) => unknown): (message: string) => void {
  const failed = (error: unknown) => emitWarning(`The callback "warn" has failed: ${stackOf(error)}`);
  return (message) => callSafely(() => warn(message), failed);
}
