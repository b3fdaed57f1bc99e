import { safeWarn, within } from '@mcp/kit';
import type { Caller } from '../define/caller.ts';
import type { Server } from '../define/server.ts';
import type { Channel } from '../jsonrpc/channel.ts';
import { errorText } from '../jsonrpc/message.ts';
import { Backpressure } from './backpressure.ts';
import { Connection } from './connection/connection.ts';
import { sharedOutlet } from './call/outlet.ts';
import { Runtime } from './runtime.ts';

/** Options for serving a connection. */
export interface ServeOptions<out Who extends Caller | undefined = Caller | undefined> {
  /** Who sends the requests. Default: undefined, the user of this process, who may use everything. */
  readonly caller?: Who;
  /** Called with a warning that cannot be sent to any client. Default: such warnings are dropped. */
  readonly onWarning?: (message: string) => void;
  /**
   * How long running requests may take after the client has disconnected, in milliseconds. Default: 5,000;
   * after a signal to stop 1,000, because many hosts kill a server two seconds after the signal.
   */
  readonly graceMs?: number;
  /** Maximum number of running requests; further requests wait. Default: 1,000. */
  readonly maxRunning?: number;
}

export const defaultGraceMs = 5_000;
export const defaultStopGraceMs = 1_000;
const defaultMaxRunning = 1_000;

/**
 * Serves one client on one channel, until the channel ends or `stop` is aborted; running requests are
 * answered first. Resolves when the last message has been delivered.
 * @example
 * ```ts
 * import { defineServer } from '@mcp/protocol';
 * import { serve, StreamChannel } from '@mcp/protocol/stdio';
 * import { PassThrough } from 'node:stream';
 *
 * const input = new PassThrough();
 * const channel = new StreamChannel(input, new PassThrough());
 * input.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
 * await serve(defineServer({ name: 'example', version: '1.0.0' }), channel);
 * ```
 */
export async function serve<Who extends Caller | undefined = undefined>(
  server: Server<NoInfer<Who>>,
  channel: Channel,
  options: ServeOptions<Who> & { readonly stop?: AbortSignal } = {},
): Promise<void> {
  const { onWarning: warn, caller, stop, graceMs = defaultGraceMs, maxRunning = defaultMaxRunning } = options;
  const stopGraceMs = options.graceMs ?? defaultStopGraceMs;
  const backpressure = new Backpressure(channel, maxRunning);
  const connection = new Connection(
    Runtime.of(server as Server),
    sharedOutlet((text) => channel.send(text), channel),
    {
      running: (count) => backpressure.update(count),
      route: channel.route,
      ...(warn && { warn: safeWarn(warn) }),
      ...(caller && { sender: { caller } }),
    },
  );

  await new Promise<void>((resolve) => {
    const ended = () => {
      stop?.removeEventListener('abort', ended);
      resolve();
    };
    stop?.addEventListener('abort', ended);
    channel.open({
      message: (text) => connection.receive(text),
      malformed: (error) => channel.send(errorText(undefined, error)),
      ended,
    });
    if (stop?.aborted) ended();
  });
  backpressure.end();
  const finished = connection.finish(stop?.aborted ? stopGraceMs : graceMs);
  await Promise.race([finished, ...(stop ? [closeAfter(stop, stopGraceMs, connection, finished)] : [])]);
  // The time for closing is limited, because a client that no longer reads must not keep its server alive.
  await within(stop?.aborted ? stopGraceMs : graceMs, channel.close());
}

/** Waits for `stop`, then at most `ms` milliseconds for running requests, and cancels the rest. */
async function closeAfter(
  stop: AbortSignal,
  ms: number,
  connection: Connection,
  finished: Promise<void>,
): Promise<void> {
  if (!stop.aborted) {
    await new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }));
  }
  await within(ms, finished);
  await connection.close();
}
