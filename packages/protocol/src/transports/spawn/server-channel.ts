import type { Readable, Writable } from 'node:stream';
import type { Receiver } from '../../jsonrpc/channel.ts';
import { StreamChannel, type StreamOptions } from '../stream-channel.ts';

/** How long a process may live on after it has closed its stdout, before its end is told without a reason. */
const lingerMs = 500;

/** A channel whose end says what became of the process, and whose closing ends it. */
export class ServerChannel extends StreamChannel {
  readonly #reason: Promise<Error>;
  readonly #stop: () => Promise<void>;

  constructor(
    stdout: Readable,
    stdin: Writable,
    options: StreamOptions,
    process: { readonly reason: Promise<Error>; readonly stop: () => Promise<void> },
  ) {
    super(stdout, stdin, options);
    this.#reason = process.reason;
    this.#stop = process.stop;
  }

  override open(receiver: Receiver): void {
    super.open({
      message: (text) => receiver.message(text),
      malformed: (error) => receiver.malformed(error),
      ended: () => {
        let timer: NodeJS.Timeout | undefined;
        const lives = new Promise<undefined>(
          (resolve) => (timer = setTimeout(() => resolve(undefined), lingerMs)),
        );
        void Promise.race([this.#reason, lives]).then((reason) => {
          clearTimeout(timer);
          receiver.ended(reason);
        });
      },
    });
  }

  /** Sends what is queued and stops the process; a server that does not read any more keeps nothing waiting. */
  override async close(): Promise<void> {
    void super.close();
    await this.#stop();
  }
}
