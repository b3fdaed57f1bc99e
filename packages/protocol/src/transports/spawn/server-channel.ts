import type { Readable, Writable } from 'node:stream';
import { within } from '@mcp/kit';
import type { Receiver } from '../../jsonrpc/channel.ts';
import { outputBegan } from './process-group.ts';
import { StreamChannel, type StreamOptions } from '../stream-channel.ts';

/** Milliseconds that the channel waits, after the end of stdout, to learn why the process exited. */
const lingerMs = 500;

/** A channel to a child process. Ends with the reason for the process's exit; closing stops the process. */
export class ServerChannel extends StreamChannel {
  readonly #reason: Promise<Error>;
  readonly #stop: () => Promise<void>;
  readonly #stdout: Readable;

  constructor(
    stdout: Readable,
    stdin: Writable,
    options: StreamOptions,
    process: { readonly reason: Promise<Error>; readonly stop: () => Promise<void> },
  ) {
    super(stdout, stdin, options);
    this.#reason = process.reason;
    this.#stop = process.stop;
    this.#stdout = stdout;
  }

  override open(receiver: Receiver): void {
    this.#stdout.once('data', outputBegan);
    super.open({
      message: (text) => receiver.message(text),
      malformed: (error) => receiver.malformed(error),
      ended: () => void within(lingerMs, this.#reason).then((reason) => receiver.ended(reason)),
    });
  }

  /** Stops the server without waiting until queued messages are read: it may have stopped reading. */
  override async close(): Promise<void> {
    void super.close();
    await this.#stop();
  }
}
