import { abortable, isObject, within } from '@mcp/kit';
import {
  Client,
  type ClientOptions,
  type Connector,
  type FetchLayer,
  type NegotiationCache,
} from '@mcp/protocol/client';
import { type SpawnedServer, spawnServer } from '@mcp/protocol/stdio';
import type { HttpTarget, ServerEntry } from '../config/entry/server-entry.ts';
import { commandOf, httpConnector } from '../servers/connectors.ts';
import { hostErrorOf } from '../servers/host-error-of.ts';

export interface SessionOptions {
  /** Milliseconds that the handshake and each request may take. */
  readonly limitMs: number;
  /** The revision to speak; defaults to the newest that both sides have. */
  readonly revision?: string;
  /** The extensions that the client declares. */
  readonly extensions?: ClientOptions['extensions'];
  /**
   * Remembers which kind of handshake the server supports, so that a second start need not find this out
   * again.
   */
  readonly negotiations: NegotiationCache;
  readonly authorize: ((target: HttpTarget) => FetchLayer) | undefined;
  /** When it aborts, the handshake ends, and the server is not started again. */
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

/** One connection to the examined server, with its process if the server is a program. */
export class Session {
  readonly entry: ServerEntry;
  readonly written: Written = { rubbish: [], stderr: [] };
  readonly #options: SessionOptions;
  /**
   * The processes that were started: if the first one exits while the revision is negotiated, the client
   * starts another.
   */
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

  /** Starts or reaches the server; rejects with a `HostError`, after `limitMs` at the latest. */
  async open(): Promise<void> {
    const { limitMs, revision, extensions, negotiations, signal } = this.#options;
    const started = performance.now();
    const connecting = Client.connect(this.#connector(), {
      name: 'mcp doctor',
      negotiations,
      timeoutMs: limitMs,
      probeTimeoutMs: Math.min(limitMs / 2, 5_000),
      ...(revision !== undefined && { revision }),
      ...(extensions && { extensions }),
    });
    // A connection that is made after the limit is stored, too, so that `close` ends it.
    connecting.then(
      (client) => (this.#client ??= client),
      () => {},
    );
    try {
      this.#client = await abortable(within(limitMs, connecting), signal);
      if (!this.#client) throw new Error(`no answer to the handshake within ${limitMs / 1_000} s`);
      this.#startMs = performance.now() - started;
    } catch (error) {
      this.#failed = true;
      throw hostErrorOf(error, this.entry);
    }
  }

  /** Ends the connection and its process, without giving the server time to end by itself. */
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

  /** Returns the channel of a program, which also records the lines of stdout that are not messages. */
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
      // After a failed handshake, leaves the process running, so that a later check can measure how it ends.
      close: () => (this.#failed ? Promise.resolve() : spawned.stop(killAfterMs)),
    };
  }
}

type Channel = ReturnType<Connector['open']>;

/**
 * Milliseconds from the end of stdin to SIGTERM, and from SIGTERM to SIGKILL. This time is short, because
 * another check measures how the server ends.
 */
const killAfterMs = 250;

function keep(lines: string[], line: string): void {
  lines.push(line);
  if (lines.length > maxLines) lines.shift();
}

function isMessage(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) || (isObject(value) && 'jsonrpc' in value);
  } catch {
    return false;
  }
}
