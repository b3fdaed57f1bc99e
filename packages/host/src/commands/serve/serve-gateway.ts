import { once } from 'node:events';
import type { Server } from '@mcp/protocol';
import type { Sharing } from '@mcp/protocol/command-line';
import type { Authorization } from '@mcp/protocol/http';
import type { CommandInput } from '../../command-line/command.ts';
import { exitCodes, usageError } from '../../errors.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { listenAt } from './listen-at.ts';

export interface ServedAt {
  /** The value of `--http`; undefined for stdio. */
  readonly address: string | undefined;
  readonly authorization?: Authorization | undefined;
  /** What this gateway shares over HTTP. */
  readonly sharing?: Sharing | undefined;
}

/**
 * Serves a gateway over HTTP at `address`, until a signal ends the command; without an address, to one client
 * on stdin and stdout, until it disconnects. Returns the exit code.
 */
export async function serveGateway(
  { server }: Pick<Gateway, 'server'>,
  input: CommandInput,
  { address, authorization, sharing }: ServedAt,
): Promise<number> {
  const warn = (message: string) => input.output.note(message, 'yellow');
  if (address !== undefined) return serveOverHttp(server, input, { address, authorization, sharing, warn });
  const { serveStdio } = await import('@mcp/protocol/stdio');
  await serveStdio(server, { onWarning: warn });
  return exitCodes.ok;
}

async function serveOverHttp(
  server: Server,
  { options, output, signal }: CommandInput,
  { address, authorization, sharing, warn }: ServedAt & { address: string; warn: (message: string) => void },
): Promise<number> {
  const { at, token } = await listenAt(address, options);
  const { serveHttp } = await import('@mcp/protocol/http');
  const listener = await serveHttp(sharing ? sharing.sealed(server) : server, {
    ...at,
    onWarning: warn,
    ...(authorization && { authorization }),
    ...(sharing && { shared: sharing.store }),
    ...(token !== undefined && { token }),
  }).catch((error: Error) => {
    throw usageError(error.message);
  });
  output.note(`Listening on ${listener.url}`);
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  process.once('SIGTERM', stop);
  signal.addEventListener('abort', stop);
  if (!signal.aborted) await once(stopped.signal, 'abort');
  process.off('SIGTERM', stop);
  await listener.close();
  return exitCodes.ok;
}
