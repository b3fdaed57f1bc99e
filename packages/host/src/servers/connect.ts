import { type Channel, Client, type ClientOptions, type FetchLayer } from '@mcp/protocol/client';
import { serverCommand, type SpawnedServer, spawnServer } from '@mcp/protocol/stdio';
import type { HttpTarget, ServerEntry, StdioTarget } from '../config/entry/server-entry.ts';
import { launchers } from '../config/entry/launchers.ts';
import { exitCodes, HostError } from '../errors.ts';
import { maskSecretsOf } from '../config/entry/mask-secrets.ts';
import { commandOf, httpConnector } from './connectors.ts';
import { hostErrorOf } from './host-error-of.ts';
import { observedConnector, type OnMessage } from './observed-connector.ts';
import { printedCommand } from '../printed-command.ts';

export interface ConnectOptions {
  readonly client: ClientOptions;
  /** Authorizes requests to a server over HTTP. */
  readonly authorize: ((target: HttpTarget) => FetchLayer) | undefined;
  /** Called with each line that the server writes on stderr. */
  readonly stderr: (line: string) => void;
  /** Opens a server that another process keeps. */
  readonly openKept?: OpenKept | undefined;
  /** Called with each message to and from the server. */
  readonly onMessage?: OnMessage | undefined;
  /** Cancels the start of the server. */
  readonly signal: AbortSignal;
}

/**
 * Opens a channel to a server that another process keeps or starts, for a client with these roots. The
 * requests of this client need ids from `firstId` on. Undefined if this process has to start the server.
 */
export type OpenKept = (
  entry: ServerEntry,
  target: StdioTarget,
  client: {
    readonly roots: readonly unknown[] | undefined;
    /** Called with each line that the server writes on stderr. */
    readonly stderr: (line: string) => void;
  },
) => Promise<{ readonly channel: Channel; readonly firstId: number } | undefined>;

/** Milliseconds from the end of a program's stdin to SIGTERM, and again from SIGTERM to SIGKILL. */
const stopGraceMs = 2_000;

/** The `stopGraceMs` of a program that has not answered the handshake and so has no work to finish. */
const unansweredGraceMs = 250;

const processIds = new WeakMap<Client, () => number | undefined>();

/** The id of the process of a client's server, which leads a group of its own; undefined for a URL. */
export function processIdOf(client: Client): number | undefined {
  return processIds.get(client)?.();
}

/**
 * Starts or reaches a server and agrees with it on a revision; rejects with a `HostError`. The start timeout
 * applies only to programs: over HTTP each request has its own timeout, and a login may take any time.
 */
export async function connect(entry: ServerEntry, options: ConnectOptions): Promise<Client> {
  const { target, callTimeoutMs, startTimeoutMs } = entry;
  const timeout = AbortSignal.timeout(Math.min(startTimeoutMs, 2 ** 31 - 1));
  const signal = target.kind === 'stdio' ? AbortSignal.any([options.signal, timeout]) : options.signal;
  let lastLine = '';
  const stderr = (line: string) => {
    lastLine = line;
    options.stderr(line);
  };
  let spawned: SpawnedServer | undefined;
  const stop = () => void spawned?.stop(unansweredGraceMs);
  signal.addEventListener('abort', stop);
  const keptServer = async () => {
    if (target.kind === 'http' || !options.openKept) return undefined;
    const roots = await options.client.roots?.({ signal });
    return options.openKept(entry, target, { roots, stderr });
  };
  const connector = (kept: Channel | undefined) => {
    if (target.kind === 'http') return httpConnector(target, options.authorize);
    const command = { ...commandOf(target, stderr), stopGraceMs };
    let unused = kept;
    return {
      name: serverCommand(command).name,
      open: () => {
        const channel = unused;
        unused = undefined;
        return channel ?? (spawned = spawnServer(command)).channel;
      },
    };
  };
  try {
    const kept = await keptServer();
    const plain = connector(kept?.channel);
    const { onMessage } = options;
    const client = await Client.connect(onMessage ? observedConnector(plain, entry.name, onMessage) : plain, {
      ...(kept && { firstId: kept.firstId }),
      probeTimeoutMs: Math.min(startTimeoutMs, 5_000),
      timeoutMs: callTimeoutMs,
      ...options.client,
      signal,
    });
    processIds.set(client, () => spawned?.child.pid);
    return client;
  } catch (error) {
    if (target.kind === 'stdio' && timeout.aborted) throw tooSlow(entry, lastLine, error);
    throw hostErrorOf(error, entry);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function tooSlow(entry: ServerEntry, lastLine: string, cause: unknown): HostError {
  const { name, scope, startTimeoutMs } = entry;
  const doctor = `${printedCommand('doctor', name)} measures its start`;
  const last = maskSecretsOf(entry, lastLine);
  const wrote = last === '' ? '' : `; its last line on stderr was: ${last}`;
  const network = networkHint(entry);
  return new HostError(`${name}: no answer to the handshake within ${startTimeoutMs / 1_000} s${wrote}`, {
    server: name,
    phase: 'handshake',
    exitCode: exitCodes.timeout,
    hint: `${network}${
      scope === 'command-line'
        ? '--start-timeout gives it more seconds'
        : 'set a longer "startup_timeout_sec" in its entry'
    }; ${doctor}`,
    cause,
  });
}

/** Variables without which a download may try in vain for minutes. Servers do not inherit them. */
const networkVariables = ['HTTPS_PROXY', 'https_proxy', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'];

/** What a launcher that downloads its package may lack; empty for another command. */
function networkHint({ target, scope }: ServerEntry): string {
  if (target.kind === 'http' || !launchers.test(target.command)) return '';
  const missing = networkVariables.filter((name) => process.env[name] && target.env[name] === undefined);
  if (missing.length === 0) return '';
  const advice =
    scope === 'command-line'
      ? missing.map((name) => `--env ${name}`).join(' ')
      : 'add to "env" of its entry what it needs';
  return `its command may download a package, and does not get ${missing.join(' and ')}: ${advice}; `;
}
