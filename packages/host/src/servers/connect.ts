import { Client, type ClientOptions, type FetchLayer, serverAt, SseChannel } from '@mcp/protocol/client';
import { serverCommand } from '@mcp/protocol/stdio';
import type { HttpTarget, ServerDefinition, StdioTarget } from '../config/definition.ts';
import { hostErrorOf } from './host-error-of.ts';

export interface ConnectOptions {
  readonly client: ClientOptions;
  /** Authorizes requests to a server over HTTP. */
  readonly authorize: ((target: HttpTarget) => FetchLayer) | undefined;
  /** Called with each line that the server writes on stderr. */
  readonly stderr: (line: string) => void;
}

/** Starts or reaches a server and agrees with it on a revision. Rejects with a `HostError`. */
export async function connect(definition: ServerDefinition, options: ConnectOptions): Promise<Client> {
  const { target, callTimeoutMs, startTimeoutMs } = definition;
  const connector = target.kind === 'stdio' ? commandOf(target, options) : addressOf(target, options);
  const connecting = Client.connect(connector, {
    probeTimeoutMs: Math.min(startTimeoutMs, 5_000),
    timeoutMs: callTimeoutMs,
    ...options.client,
  });
  try {
    return await connecting;
  } catch (error) {
    throw hostErrorOf(error, definition);
  }
}

// The configuration says which variables a server gets, beside the few that every program needs.
function commandOf({ command, args, env, cwd }: StdioTarget, { stderr }: ConnectOptions) {
  return serverCommand({ command, args, env, stderr, ...(cwd !== undefined && { cwd }) });
}

function addressOf(target: HttpTarget, { authorize }: ConnectOptions) {
  // A configured token is used as it is.
  const hasToken = Object.keys(target.headers).some((name) => name.toLowerCase() === 'authorization');
  const options = {
    headers: target.headers,
    ...(authorize && !hasToken && { authorize: authorize(target) }),
  };
  const connector = serverAt(target.url, options);
  if (target.transport === 'auto') return connector;
  const open =
    target.transport === 'sse' ? () => new SseChannel(target.url, options) : () => connector.open();
  return { name: connector.name, http: true, open };
}
