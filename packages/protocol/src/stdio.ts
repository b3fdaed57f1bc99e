import { safeWarn, stackOf } from '@mcp/kit';
import type { Caller } from './define/caller.ts';
import type { Server } from './define/server.ts';
import { defaultGraceMs, defaultStopGraceMs, serve, type ServeOptions } from './server/serve.ts';
import { reservedStdout } from './transports/reserved-stdout.ts';
import { openStderr, warnOnStderr } from './transports/stderr.ts';
import { StreamChannel, type StreamOptions } from './transports/stream-channel.ts';

export type { Channel, Envelope, Receiver } from './jsonrpc/channel.ts';
export { serve, type ServeOptions } from './server/serve.ts';
export { type ServerCommand } from './transports/spawn/server-command.ts';
export {
  serverCommand,
  ServerNotStarted,
  type SpawnedServer,
  spawnServer,
} from './transports/spawn/spawn-server.ts';
export { StreamChannel, type StreamOptions } from './transports/stream-channel.ts';

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** Milliseconds that cancelled requests have for their cleanup, before the process exits. */
const exitMs = 300;

/**
 * Serves one client on the stdin and stdout of this process, until stdin ends or on SIGTERM, SIGINT or
 * SIGHUP; running requests are answered first. Other output to stdout goes to stderr. Once this promise has
 * resolved, the process exits within `graceMs`.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
 * @example
 * ```ts
 * import { defineServer } from '@mcp/protocol';
 * import { serveStdio } from '@mcp/protocol/stdio';
 *
 * await serveStdio(defineServer({ name: 'example', version: '1.0.0' }));
 * ```
 */
export async function serveStdio<Who extends Caller | undefined = undefined>(
  server: Server<NoInfer<Who>>,
  options: ServeOptions<Who> & StreamOptions = {},
): Promise<void> {
  const { stdin } = process;
  const { graceMs = defaultGraceMs } = options;
  const warn = options.onWarning ? safeWarn(options.onWarning) : warnOnStderr;
  const stop = new AbortController();
  const onSignal = () => {
    // Without these listeners, a second signal ends the process immediately.
    for (const signal of signals) process.off(signal, onSignal);
    stop.abort();
    setTimeout(() => process.exit(), (options.graceMs ?? defaultStopGraceMs) + exitMs).unref();
  };
  // A rejection is only reported: a promise that a handler did not await must not end the connection.
  const onUnhandledRejection = (error: unknown) => warn(`Unhandled rejection: ${stackOf(error)}`);
  // After an uncaught exception the state is unknown: the process answers running requests and exits with 1.
  const onUncaughtException = (error: unknown) => {
    // The error listener of stderr is needed before `warn` writes to it: if stderr is closed, `warn` would
    // otherwise raise the next uncaught exception, and so on without end.
    openStderr();
    warn(`Uncaught exception: ${stackOf(error)}`);
    process.exitCode = 1;
    stop.abort();
  };

  for (const signal of signals) process.on(signal, onSignal);
  process.on('unhandledRejection', onUnhandledRejection).on('uncaughtException', onUncaughtException);
  try {
    const channel = new StreamChannel(stdin, reservedStdout(), options);
    await serve<Who>(server, channel, { ...options, onWarning: warn, stop: stop.signal });
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
    process.off('unhandledRejection', onUnhandledRejection).off('uncaughtException', onUncaughtException);
    stdin.destroy();
    // A limit, so that neither a hanging handler nor a client that never reads keeps the process alive.
    setTimeout(() => process.exit(), graceMs).unref();
  }
}
