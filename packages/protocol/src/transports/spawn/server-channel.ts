import type { Readable, Writable } from 'node:stream';
import { within } from '@mcp/kit';
import type { Receiver } from '../../jsonrpc/channel.ts';
import { outputBegan } from './process-group.ts';
import { StreamChannel, type StreamOptions } from '../stream-channel.ts';

/**
 * Milliseconds that the channel waits for the reason of the exit after stdout has ended; then it ends without
 * a reason.
 */
const lingerMs = 500;

/**
 * A channel to a child process. It ends with the reason for the exit of the process; closing it stops the
 * process.
 */
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

  /** Also stops a server that has stopped reading, without waiting for it to read. */
  override async close(): Promise<void> {
    void super.close();
    await this.#stop();
  }
}
