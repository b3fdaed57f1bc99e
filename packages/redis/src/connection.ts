import { messageOf, within } from '@mcp/kit';
import { StoreUnavailable } from '@mcp/protocol/state';
import { createClient } from '@redis/client';
import type { Script } from './script.ts';

export interface ConnectionOptions {
  /** How long a command may take, in milliseconds; above that, Redis counts as gone. Default: 2,000. */
  readonly timeoutMs: number;
  /** Called with the error of each connection that is lost, or cannot be opened again. Default: ignored. */
  readonly onError: (error: Error) => void;
}

/** The interval at which an idle connection is checked, and its longest silence, in milliseconds. */
const pingMs = 3_000;
const silenceMs = 10_000;

type Client = ReturnType<typeof clientOf>;

// The timeout of the client itself ends with the sending of a command: `#send` has its own.
function clientOf(url: string, { timeoutMs }: ConnectionOptions) {
  return createClient({
    url,
    // What every version of Redis and Valkey understands, and every proxy.
    RESP: 2,
    maintNotifications: 'disabled',
    disableClientInfo: true,
    // Commands are refused while there is no connection, so that a request need not wait.
    disableOfflineQueue: true,
    pingInterval: pingMs,
    socket: {
      connectTimeout: timeoutMs,
      socketTimeout: silenceMs,
      reconnectStrategy: (retries) => Math.min(2_000, 50 * 2 ** retries) * (0.5 + Math.random() / 2),
    },
  });
}

/** The connection for commands. */
export class Connection {
  readonly client: Client;
  readonly options: ConnectionOptions;
  /** Whether a command has got no answer in time. Until it has one, others need not wait for theirs. */
  #isSilent = false;

  constructor(client: Client, options: ConnectionOptions) {
    this.client = client;
    this.options = options;
  }

  /** Sends a command; throws a `StoreUnavailable` if it fails or takes too long. */
  async send(...command: readonly (string | number)[]): Promise<unknown> {
    return this.known(() => this.client.sendCommand(command.map(String)));
  }

  /** Runs a script that Redis may not know yet. */
  async run({ sha, text }: Script, keys: readonly string[], args: readonly (string | number)[]) {
    const rest = [keys.length, ...keys, ...args].map(String);
    const { client } = this;
    return this.known(() =>
      client.sendCommand(['EVALSHA', sha, ...rest]).catch((error: unknown) => {
        if (!messageOf(error).startsWith('NOSCRIPT')) throw error;
        return client.sendCommand(['EVAL', text, ...rest]);
      }),
    );
  }

  /** The reply to what `send` sends; throws a `StoreUnavailable` if that fails or takes too long. */
  async known(send: () => Promise<unknown>): Promise<unknown> {
    const { timeoutMs } = this.options;
    if (this.#isSilent) throw unavailable(`no answer within ${timeoutMs} ms`);
    const reply = send();
    const wrapped = reply.then(
      (value) => ({ value }),
      (error: unknown) => {
        throw unavailable(messageOf(error), error);
      },
    );
    const answered = await within(timeoutMs, wrapped);
    if (answered) return answered.value;
    this.#isSilent = true;
    const heard = () => void (this.#isSilent = false);
    reply.then(heard, heard);
    throw unavailable(`no answer within ${timeoutMs} ms`);
  }

  close(): void {
    this.client.destroy();
  }
}

/** The connection that listens, for the whole process. */
export class Listener {
  readonly client: Client;
  readonly #renewed = new Set<() => void>();

  private constructor(client: Client) {
    this.client = client;
    client.on('ready', () => {
      for (const renewed of this.#renewed) renewed();
    });
  }

  static async open({ client, options }: Connection): Promise<Listener> {
    return new Listener(await connected(clientOf(client.options.url!, options), options));
  }

  /** Calls `renewed` each time that the connection was lost and is open again. */
  whenRenewed(renewed: () => void): () => void {
    this.#renewed.add(renewed);
    return () => void this.#renewed.delete(renewed);
  }

  close(): void {
    this.client.destroy();
  }
}

export async function connectionTo(url: string, options: ConnectionOptions): Promise<Connection> {
  return new Connection(await connected(clientOf(url, options), options), options);
}

/** Waits for the first connection, for as long as one command. */
async function connected(client: Client, options: ConnectionOptions): Promise<Client> {
  let failure: Error | undefined;
  let isOpen = false;
  client.on('error', (error: Error) => {
    failure = error;
    // The first failure is thrown.
    if (isOpen) options.onError(error);
  });
  const opening = client.connect();
  const opened = await within(options.timeoutMs, opening).catch((error: unknown) => {
    failure = error as Error;
  });
  isOpen = opened !== undefined;
  if (isOpen) return client;
  opening.catch(() => undefined);
  if (client.isOpen) client.destroy();
  throw new Error(`Cannot connect to Redis: ${failure ? messageOf(failure) : 'no answer'}`, {
    cause: failure,
  });
}

function unavailable(reason: string, cause?: unknown): StoreUnavailable {
  return new StoreUnavailable(`Redis cannot be used now: ${reason}`, { cause });
}
