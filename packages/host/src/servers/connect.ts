import { Client, type ClientOptions, type Connector, type FetchLayer } from '@mcp/protocol/client';
import { serverCommand, spawnServer } from '@mcp/protocol/stdio';
import type { HttpTarget, ServerEntry, StdioTarget } from '../config/entry/server-entry.ts';
import { exitCodes, HostError } from '../errors.ts';
import { maskSecretsOf } from '../config/entry/mask-secrets.ts';
import { commandOf, httpConnector } from './connectors.ts';
import { hostErrorOf } from './host-error-of.ts';
import { printedCommand } from '../printed-command.ts';

export interface ConnectOptions {
  readonly client: ClientOptions;
  /** Authorizes requests to a server over HTTP. */
  readonly authorize: ((target: HttpTarget) => FetchLayer) | undefined;
  /** Called with each line that the server writes on stderr. */
  readonly stderr: (line: string) => void;
  /** Ends a start that is under way when it aborts. */
  readonly signal: AbortSignal;
}

/** Milliseconds that each step of stopping a program may take: the end of its stdin, then SIGTERM. */
const stopGraceMs = 2_000;

/** Milliseconds for each of these steps if the program has not answered yet, and so has nothing to finish. */
const unansweredGraceMs = 250;

/**
 * Starts or reaches a server and agrees with it on a revision; rejects with a `HostError`.
 * A program that does not answer within its start timeout is ended. Over HTTP each request has its own
 * timeout, and a login has none.
 */
export async function connect(entry: ServerEntry, options: ConnectOptions): Promise<Client> {
  const { target, callTimeoutMs, startTimeoutMs } = entry;
  const timeout = target.kind === 'stdio' ? AbortSignal.timeout(Math.min(startTimeoutMs, 2 ** 31 - 1)) : none;
  const start: Start = { over: false, signal: AbortSignal.any([options.signal, timeout]) };
  let lastLine = '';
  const stderr = (line: string) => {
    lastLine = line;
    options.stderr(line);
  };
  const connector = guarded(target, start, { authorize: options.authorize, stderr });
  try {
    return await Client.connect(connector, {
      probeTimeoutMs: Math.min(startTimeoutMs, 5_000),
      timeoutMs: callTimeoutMs,
      ...options.client,
    });
  } catch (error) {
    if (timeout.aborted) throw tooSlow(entry, lastLine, error);
    throw hostErrorOf(error, entry);
  } finally {
    start.over = true;
  }
}

const none = new AbortController().signal;

/**
 * The first start of a client's connection: later connections, after a crash, are not bound to its signal.
 */
interface Start {
  over: boolean;
  readonly signal: AbortSignal;
}

/** Opens something, and calls `end` with it if the start is aborted. */
function guard<T>(start: Start, open: () => T, end: (opened: T) => Promise<void>): T {
  if (start.over) return open();
  start.signal.throwIfAborted();
  const opened = open();
  start.signal.addEventListener('abort', () => {
    if (!start.over) void end(opened);
  });
  return opened;
}

function guarded(
  target: StdioTarget | HttpTarget,
  start: Start,
  { authorize, stderr }: Pick<ConnectOptions, 'authorize' | 'stderr'>,
): Connector {
  if (target.kind === 'stdio') {
    const command = { ...commandOf(target, stderr), stopGraceMs };
    const open = () =>
      guard(
        start,
        () => spawnServer(command),
        (spawned) => spawned.stop(unansweredGraceMs),
      );
    return { name: serverCommand(command).name, open: () => open().channel };
  }
  const connector = httpConnector(target, authorize);
  const guardChannel = (open: Connector['open']) => () => guard(start, open, (channel) => channel.close());
  return {
    name: connector.name,
    http: true,
    open: guardChannel(() => connector.open()),
    ...(connector.openFallback && { openFallback: guardChannel(connector.openFallback.bind(connector)) }),
  };
}

function tooSlow(entry: ServerEntry, lastLine: string, cause: unknown): HostError {
  const { name, startTimeoutMs } = entry;
  const last = maskSecretsOf(entry, lastLine);
  const wrote = last === '' ? '' : `; its last line on stderr was: ${last}`;
  return new HostError(`${name}: no answer to the handshake within ${startTimeoutMs / 1_000} s${wrote}`, {
    server: name,
    phase: 'handshake',
    exitCode: exitCodes.timeout,
    hint: `set a longer start timeout in its configuration, or see ${printedCommand('doctor', name)}`,
    cause,
  });
}
