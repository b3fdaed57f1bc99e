import { constants, type FileHandle, open } from 'node:fs/promises';
import { messageOf } from '@mcp/kit';
import { usageError } from '../errors.ts';
import type { AuditSettings } from './policy.ts';

/** One request of a client, as the log keeps it. Sizes are those of the JSON, in bytes. */
export interface AuditedRequest {
  readonly client: string | undefined;
  readonly principal: string | undefined;
  readonly method: string;
  /** The server, if it is known. */
  readonly server: string | undefined;
  /** True for a call that only a view makes, as its tool or the name in it shows. */
  readonly view: true | undefined;
  /** The name of the tool or prompt for clients, or the URI of the resource. */
  readonly name: string | undefined;
  readonly ms: number;
  readonly argumentBytes: number;
  readonly resultBytes: number | undefined;
  /** `asked` means that the server or the policy waits for an answer of the client. */
  readonly outcome: 'ok' | 'asked' | 'error' | 'refused';
  readonly arguments: unknown;
}

const { O_APPEND, O_CREAT, O_WRONLY, O_NONBLOCK } = constants;
/** Unlike `a`, it does not wait for the reader of a named pipe. */
const appending = O_APPEND | O_CREAT | O_WRONLY | O_NONBLOCK;

/** Adds a line of JSON for each request to a file that only its user can read. */
export class AuditLog implements AsyncDisposable {
  readonly #file: FileHandle;
  readonly #settings: AuditSettings;
  readonly #warn: (message: string) => void;
  #last: Promise<void> = Promise.resolve();
  #hasFailed = false;

  private constructor(file: FileHandle, settings: AuditSettings, warn: (message: string) => void) {
    this.#file = file;
    this.#settings = settings;
    this.#warn = warn;
  }

  /** Rejects with a `HostError` if the file cannot be opened: nothing is served without its log. */
  static async open(settings: AuditSettings, warn: (message: string) => void): Promise<AuditLog> {
    try {
      const file = await open(settings.file, appending, 0o600);
      // A file that was there may be readable for others; a device stays as it is.
      if ((await file.stat()).isFile()) await file.chmod(0o600);
      return new AuditLog(file, settings, warn);
    } catch (error) {
      throw usageError(`Cannot write the audit "${settings.file}": ${messageOf(error)}`, undefined, error);
    }
  }

  add({ arguments: args, ...entry }: AuditedRequest): void {
    const line = {
      time: new Date().toISOString(),
      ...entry,
      ms: Math.round(entry.ms),
      ...(this.#settings.values && { arguments: args }),
    };
    this.#last = this.#last
      .then(async () => {
        // A line that failed may have been written in part.
        await this.#file.appendFile(`${this.#hasFailed ? '\n' : ''}${JSON.stringify(line)}\n`);
        this.#hasFailed = false;
      })
      .catch((error: unknown) => {
        if (!this.#hasFailed)
          this.#warn(`Cannot write the audit "${this.#settings.file}": ${messageOf(error)}`);
        this.#hasFailed = true;
      });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last;
    await this.#file.close();
  }
}
