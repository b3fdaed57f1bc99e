import { stackOf } from '../jsonrpc/error.ts';
import { emitWarning } from '../platform/emit-warning.ts';
import type { ClientOptions } from './client-options.ts';

/** Calls the callbacks of a host. What one throws is a warning, and ends neither the process nor the connection. */
export class Callbacks {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  run(name: string, callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.failed(`The callback "${name}" has failed: ${stackOf(error)}`);
    }
  }

  warn(message: string): void {
    try {
      this.#options.warn?.(message);
    } catch (error) {
      emitWarning(`The callback "warn" has failed: ${stackOf(error)}`);
    }
  }

  /** Reports an error in the host's own code, also where the host takes no warnings. */
  failed(message: string): void {
    if (this.#options.warn) this.warn(message);
    else emitWarning(message);
  }
}
