import type { Server } from './define/server.ts';
import { stackOf } from './jsonrpc/error.ts';
import { serve, type ServeOptions, usualGraceMs } from './server/serve.ts';
import { reservedStdout } from './transports/reserved-stdout.ts';
import { warnOnStderr } from './transports/stderr.ts';
import { StreamChannel, type StreamOptions } from './transports/stream-channel.ts';

export { serve, type ServeOptions } from './server/serve.ts';
export { type ServerCommand } from './transports/spawn/server-command.ts';
export { serverCommand, type SpawnedServer, spawnServer } from './transports/spawn/spawn-server.ts';
export { StreamChannel, type StreamOptions } from './transports/stream-channel.ts';

/**
 * Serves one client on this process's stdin and stdout, until stdin ends or the process is asked to
 * stop; what was asked by then is still answered. What else is written to stdout goes to stderr. Once
 * this resolves, the process has the time of grace again to end by itself, before it is ended.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
 */
export async function serveStdio(server: Server, options: ServeOptions & StreamOptions = {}): Promise<void> {
  const { stdin } = process;
  const { warn = warnOnStderr, graceMs = usualGraceMs } = options;
  const stop = new AbortController();
  const asked = () => {
    // A second signal ends the process at once, as it would without this one.
    process.off('SIGTERM', asked).off('SIGINT', asked);
    stop.abort();
  };
  // A promise that a handler forgot must not take the conversation with it.
  const survive = (error: unknown) => warn(`Unhandled rejection: ${stackOf(error)}`);
  // After this nobody knows what state the process is in: it says goodbye, and that it has failed.
  const surrender = (error: unknown) => {
    warn(`Uncaught exception: ${stackOf(error)}`);
    process.exitCode = 1;
    stop.abort();
  };

  process.on('SIGTERM', asked).on('SIGINT', asked);
  process.on('unhandledRejection', survive).on('uncaughtException', surrender);
  try {
    const channel = new StreamChannel(stdin, reservedStdout(), options);
    await serve(server, channel, { ...options, warn, stop: stop.signal });
  } finally {
    process.off('SIGTERM', asked).off('SIGINT', asked);
    process.off('unhandledRejection', survive).off('uncaughtException', surrender);
    stdin.destroy();
    // Neither a handler that hangs nor a client that never reads keeps the process alive.
    setTimeout(() => process.exit(), graceMs).unref();
  }
}
