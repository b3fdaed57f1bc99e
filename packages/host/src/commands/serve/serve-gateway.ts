import { once } from 'node:events';
import type { Server } from '@mcp/protocol';
import type { JsonLog, Sharing } from '@mcp/protocol/command-line';
import type { Authorization } from '@mcp/protocol/http';
import type { CommandInput } from '../../command-line/command.ts';
import { exitCodes, usageError } from '../../errors.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { listenAt } from './listen-at.ts';
import { operationOf, refuseOverStdio } from './operation-of.ts';

export interface ServedAt {
  /** The value of `--http`; undefined for stdio. */
  readonly address: string | undefined;
  readonly authorization?: Authorization | undefined;
  /** What this gateway shares over HTTP. */
  readonly sharing?: Sharing | undefined;
  /** Where warnings and requests are written; by default warnings are notes in the terminal. */
  readonly log?: JsonLog | undefined;
}

/**
 * Serves a gateway over HTTP at `address`, until a signal ends the command; without an address, to one client
 * on stdin and stdout, until it disconnects. Returns the exit code.
 */
export async function serveGateway(
  gateway: Pick<Gateway, 'server'>,
  input: CommandInput,
  { address, log, ...served }: ServedAt,
): Promise<number> {
  const server = log ? log.observed(gateway.server) : gateway.server;
  const warn = log?.warn ?? ((message: string) => input.output.note(message, 'yellow'));
  if (address !== undefined) return serveOverHttp(server, input, { address, log, warn, ...served });
  refuseOverStdio(input.options);
  const { serveStdio } = await import('@mcp/protocol/stdio');
  await serveStdio(server, { onWarning: warn });
  return exitCodes.ok;
}

async function serveOverHttp(
  server: Server,
  { options, output, signal }: CommandInput,
  {
    address,
    authorization,
    sharing,
    log,
    warn,
  }: ServedAt & { readonly address: string; readonly warn: (message: string) => void },
): Promise<number> {
  const { at, token } = await listenAt(address, options);
  const operation = await operationOf(options);
  const { serveHttp } = await import('@mcp/protocol/http');
  const listener = await serveHttp(sharing ? sharing.sealed(server) : server, {
    ...at,
    ...operation,
    onWarning: warn,
    ...(authorization && { authorization }),
    ...(sharing && { shared: sharing.store }),
    ...(token !== undefined && { token }),
  }).catch((error: Error) => {
    throw usageError(error.message);
  });
  const { url, metricsUrl } = listener;
  if (log) log.info('Listening', { url, metricsUrl });
  else output.note(`Listening on ${url}${metricsUrl === undefined ? '' : `\nMetrics at ${metricsUrl}`}`);
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  process.once('SIGTERM', stop);
  signal.addEventListener('abort', stop);
  if (!signal.aborted) await once(stopped.signal, 'abort');
  process.off('SIGTERM', stop);
  await listener.close();
  return exitCodes.ok;
}
