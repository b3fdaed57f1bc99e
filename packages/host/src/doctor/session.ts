import { Client, type Connector, type FetchLayer, type Verdicts } from '@mcp/protocol/client';
import { type SpawnedServer, spawnServer } from '@mcp/protocol/stdio';
import type { HttpTarget, ServerEntry } from '../config/server-entry.ts';
import { commandOf, httpConnector } from '../servers/connectors.ts';
import { hostErrorOf } from '../servers/host-error-of.ts';

export interface SessionOptions {
  /** Milliseconds that the handshake and each request may take. */
  readonly limitMs: number;
  /** The revision to speak; the newest that both sides have by default. */
  readonly protocolVersion?: string;
  /** How the server opens, so that a second start needs no probe. */
  readonly verdicts: Verdicts;
  readonly authorize: ((target: HttpTarget) => FetchLayer) | undefined;
  /** Ends the handshake, and keeps the server from being started again. */
  readonly signal: AbortSignal;
}

/** The output of a program. */
export interface Written {
  /** Lines on stdout that are not JSON-RPC messages. */
  readonly rubbish: string[];
  /** The last lines on stderr. */
  readonly stderr: string[];
}

const maxLines = 20;

/** One connection to a server that is examined, and its process where it is a program. */
export class Session {
  readonly entry: ServerEntry;
  readonly written: Written = { rubbish: [], stderr: [] };
  readonly #options: SessionOptions;
  /** The processes, of which all but the last were for a probe that ended them. */
  readonly #spawned: SpawnedServer[] = [];
  #client: Client | undefined;
  #startMs = 0;
  #failed = false;

  constructor(entry: ServerEntry, options: SessionOptions) {
    this.entry = entry;
    this.#options = options;
  }

  get client(): Client {
    if (!this.#client) throw new Error('The server has not answered the handshake');
    return this.#client;
  }

  /** The process that was started last; undefined over HTTP. */
  get spawned(): SpawnedServer | undefined {
    return this.#spawned.at(-1);
  }

  /** Milliseconds from the start of the program, or of the first request, to the end of the handshake. */
  get startMs(): number {
    return this.#startMs;
  }

  /**
   * Starts or reaches the server and shakes hands. Rejects with a `HostError`, after `limitMs` at the latest.
   */
  async open(): Promise<void> {
    const { limitMs, protocolVersion, verdicts, signal } = this.#options;
    const started = performance.now();
    let timer: NodeJS.Timeout | undefined;
    let abort: (() => void) | undefined;
    const late = new Promise<never>((_, reject) => {
      const message = `no answer to the handshake within ${limitMs / 1_000} s`;
      timer = setTimeout(() => reject(new Error(message)), limitMs);
      abort = () => reject(signal.reason as Error);
      signal.addEventListener('abort', abort);
    });
    const connecting = Client.connect(this.#connector(), {
      name: 'mcp doctor',
      verdicts,
      timeoutMs: limitMs,
      probeTimeoutMs: Math.min(limitMs / 2, 5_000),
      ...(protocolVersion !== undefined && { protocolVersion }),
    });
    // After the limit, the connection is of no use any more.
    connecting.then(
      (client) => (this.#client ??= client),
      () => {},
    );
    try {
      this.#client = await Promise.race([connecting, late]);
      this.#startMs = performance.now() - started;
    } catch (error) {
      this.#failed = true;
      throw hostErrorOf(error, this.entry);
    } finally {
      clearTimeout(timer);
      if (abort) signal.removeEventListener('abort', abort);
    }
  }

  /** Ends the connection and its process, without waiting for the server's own end. */
  async close(): Promise<void> {
    await Promise.all(this.#spawned.map((each) => each.stop(killAfterMs)));
    if (this.#spawned.length === 0) await this.#client?.close();
  }

  #connector(): Connector {
    const { target } = this.entry;
    if (target.kind === 'http') return httpConnector(target, this.#options.authorize);
    const command = commandOf(target, (line) => keep(this.written.stderr, line));
    return {
      name: target.command,
      open: () => {
        this.#options.signal.throwIfAborted();
        const spawned = spawnServer(command);
        this.#spawned.push(spawned);
        return this.#observed(spawned);
      },
    };
  }

  /** The channel, whose lines are looked at on their way. */
  #observed({ channel, ...spawned }: SpawnedServer): Channel {
    const { rubbish } = this.written;
    return {
      get congested() {
        return channel.congested;
      },
      open: (receiver) =>
        channel.open({
          message: (text) => {
            if (isMessage(text)) receiver.message(text);
            else keep(rubbish, text);
          },
          malformed: (error) => {
            keep(rubbish, error.message);
            receiver.malformed(error);
          },
          ended: (reason) => receiver.ended(reason),
        }),
      send: (text, envelope) => channel.send(text, envelope),
      drained: () => channel.drained(),
      hold: (held) => channel.hold(held),
      // How a server that has not answered ends is measured, without the signals of this client.
      close: () => (this.#failed ? Promise.resolve() : spawned.stop(killAfterMs)),
    };
  }
}

type Channel = ReturnType<Connector['open']>;

/**
 * Milliseconds after the end of stdin until SIGTERM, and until SIGKILL again: how it ends
 * is a check of its own.
 */
const killAfterMs = 250;

function keep(lines: string[], line: string): void {
  lines.push(line);
  if (lines.length > maxLines) lines.shift();
}

function isMessage(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) || (typeof value === 'object' && value !== null && 'jsonrpc' in value);
  } catch {
    return false;
  }
}
