import { closeSync, fchmodSync, fstatSync, openSync, writeSync } from 'node:fs';
import { messageOf } from '@mcp/kit';
import { usageError } from '../errors.ts';
import type { WireMessage } from '../servers/observed-connector.ts';

/** The file of `--trace`: one line of JSON for each message. */
export class RecordingFile implements Disposable {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #warn: (message: string) => void;
  #failed = false;

  /** Replaces the file, which only the user can read; throws a `HostError` if this is impossible. */
  constructor(path: string, warn: (message: string) => void) {
    this.#path = path;
    this.#warn = warn;
    try {
      this.#descriptor = openSync(path, 'w', 0o600);
      // A file that was there may be readable for others; a device stays as it is.
      if (fstatSync(this.#descriptor).isFile()) fchmodSync(this.#descriptor, 0o600);
    } catch (error) {
      throw usageError(`Cannot write to --trace "${path}": ${messageOf(error)}`);
    }
  }

  /** Writes a message at once, so that it is there even if this process is killed. */
  add({ text, ...place }: WireMessage): void {
    if (this.#failed) return;
    const head = JSON.stringify({ time: new Date().toISOString(), ...place }).slice(0, -1);
    try {
      writeSync(this.#descriptor, `${head},${memberOf(text)}}\n`);
    } catch (error) {
      this.#failed = true;
      this.#warn(`Cannot write to --trace "${this.#path}": ${messageOf(error)}`);
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }
}

/** The message as it was sent, because its numbers may have more digits than JavaScript keeps. */
function memberOf(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return `"malformed":${JSON.stringify(text)}`;
  }
  return `"message":${text.replaceAll(/[\r\n]+/g, ' ')}`;
}
