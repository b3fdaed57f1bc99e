import { type Connector, type FetchLayer, serverAt, SseChannel } from '@mcp/protocol/client';
import type { ServerCommand } from '@mcp/protocol/stdio';
import type { HttpTarget, StdioTarget } from '../config/entry/server-entry.ts';

export function commandOf(
  { command, args, env, cwd }: StdioTarget,
  stderr: (line: string) => void,
): ServerCommand {
  return { command, args, env, stderr, ...(cwd !== undefined && { cwd }) };
}

/** Whether the configuration of a server contains its token, so that no login is needed. */
export function hasAuthorization({ headers }: HttpTarget): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
}

/** Whether the URL is that of a Unix socket or a named pipe, whose permissions protect it. */
function isSocket(url: string): boolean {
  return /^(?:unix|pipe):/.test(url);
}

/**
 * Connects to a server over HTTP. `authorize` is not used for a socket, and not if an `authorization` header
 * is configured.
 */
export function httpConnector(
  target: HttpTarget,
  authorize: ((target: HttpTarget) => FetchLayer) | undefined,
): Connector {
  const { url, headers, transport } = target;
  const options = {
    headers,
    ...(authorize && !hasAuthorization(target) && !isSocket(url) && { authorize: authorize(target) }),
  };
  const connector = serverAt(url, options);
  if (transport === 'auto') return connector;
  const sse = () => new SseChannel(url, options);
  return { name: connector.name, http: true, open: transport === 'sse' ? sse : () => connector.open() };
}
