import { callSafely, safeWarn } from '../jsonrpc/call-safely.ts';
import { stackOf } from '../jsonrpc/error.ts';
import { emitWarning } from '../platform/emit-warning.ts';
import type { ClientOptions } from './client-options.ts';

/**
 * Calls the callbacks of a host. An error of a callback becomes a warning, and ends neither the
 * process nor the connection.
 */
export class Callbacks {
  readonly #warn: ((message: string) => void) | undefined;

  constructor(options: ClientOptions) {
    this.#warn = options.onWarning && safeWarn((message) => options.onWarning?.(message));
  }

  run(name: string, callback: () => unknown): void {
    callSafely(callback, (error) => this.failed(`The callback "${name}" has failed: ${stackOf(error)}`));
  }

  warn(message: string): void {
    this.#warn?.(message);
  }

  /** Reports an error in the host's own code, also to a host that takes no warnings. */
  failed(message: string): void {
    (this.#warn ?? emitWarning)(message);
  }
}
