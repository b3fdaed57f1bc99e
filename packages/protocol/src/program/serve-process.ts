import { safeWarn, stackOf } from '@mcp/kit';
import type { Caller } from '../define/caller.ts';
import type { Server } from '../define/server.ts';
import type { Channel } from '../jsonrpc/channel.ts';
import { type FirstBytes, firstBytes, FirstMessageChannel } from '../transports/first-message.ts';
import { reserveStdout } from '../transports/reserved-stdout.ts';
import { openStderr, warnOnStderr } from '../transports/stderr.ts';
import { StreamChannel, type StreamOptions } from '../transports/stream-channel.ts';
import { defaultGraceMs, defaultStopGraceMs, serve, type ServeOptions } from '../server/serve.ts';

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** Milliseconds that cancelled requests have for their cleanup, before the process exits. */
const exitMs = 300;

/**
 * Serves one client on the stdin and stdout of this process. `readFirst` reads the first message before
 * streams are opened, if nothing else runs.
 */
export async function serveProcess<Who extends Caller | undefined = undefined>(
  server: Server<NoInfer<Who>>,
  options: ServeOptions<Who> & StreamOptions = {},
  readFirst = false,
): Promise<void> {
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

  process.on('unhandledRejection', onUnhandledRejection).on('uncaughtException', onUncaughtException);
  // Before the listeners of signals, which would not be called while it waits.
  const first = readFirst ? await firstBytes(stop.signal) : undefined;
  for (const signal of signals) process.on(signal, onSignal);
  try {
    await serve<Who>(server, channelOf(options, first), { ...options, onWarning: warn, stop: stop.signal });
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
    process.off('unhandledRejection', onUnhandledRejection).off('uncaughtException', onUncaughtException);
    process.stdin.destroy();
    // A limit, so that neither a hanging handler nor a client that never reads keeps the process alive.
    setTimeout(() => process.exit(), graceMs).unref();
  }
}

function channelOf(options: StreamOptions, first: FirstBytes | undefined): Channel {
  const openStdout = reserveStdout();
  const openStreams = (unsent?: Buffer) => {
    const { stdin } = process;
    if (first && first.rest.length > 0) stdin.unshift(first.rest);
    const output = openStdout();
    if (unsent && unsent.length > 0) output.write(unsent);
    return new StreamChannel(stdin, output, options);
  };
  return first?.text === undefined ? openStreams() : new FirstMessageChannel(first.text, openStreams);
}
