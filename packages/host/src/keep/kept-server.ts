import { isObject, messageOf } from '@mcp/kit';
import type { Channel } from '@mcp/protocol/client';
import { ServerNotStarted, type SpawnedServer, spawnServer } from '@mcp/protocol/stdio';
import { canonical } from '../trust/fingerprint.ts';
import { type KeptStatus, messageText, noteText, type WantedServer } from './keep-request.ts';

/** The parts of a message that decide whether a server can be used again. */
interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
}

/** Requests that change a session: the next command would get notifications that it has not asked for. */
const changing: readonly unknown[] = ['logging/setLevel', 'resources/subscribe'];

/** The time that each step of the end of a server may take, as for one that no process keeps. */
const stopGraceMs = 2_000;

/**
 * A server that commands use one after the other. Messages are passed on as they are. Only `initialize` is
 * sent once: later commands get the result of the first.
 */
export class KeptServer {
  readonly wanted: WantedServer;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  readonly #spawned: SpawnedServer;
  readonly #roots: string;
  /** The command that uses the server; undefined if none does. */
  #command: Channel | undefined;
  /** The parameters of `initialize`; empty for a server that has got none. */
  #opening = '';
  #initializeId: unknown;
  #initialized: unknown;
  #isReady = false;
  #canKeep = true;
  #isStopped = false;
  /** The ids of the command's requests that wait for a response, and of those that were cancelled. */
  readonly #waiting = new Set<unknown>();
  readonly #cancelled = new Set<unknown>();
  /** The ids of the server's requests that wait for a response. */
  readonly #asked = new Set<unknown>();

  constructor(wanted: WantedServer) {
    this.wanted = wanted;
    this.#roots = canonical(wanted.roots ?? []);
    const { umask, program: _, ...command } = wanted.process;
    const stderr = (line: string) => this.#command?.send(noteText({ stderr: line }));
    const former = process.umask(umask);
    try {
      // The variable PATH of this process is not for the server.
      const env = { PATH: undefined, ...command.env };
      this.#spawned = spawnServer({ ...command, env, stderr, stopGraceMs });
    } finally {
      process.umask(former);
    }
    this.ended = this.#spawned.exited.then(
      () => {},
      () => {},
    );
    this.#spawned.channel.open({
      message: (text) => this.#received(text),
      malformed: ({ message: malformed, code }) => this.#command?.send(noteText({ malformed, code })),
      ended: (reason) => {
        const text = reason === undefined || this.#isStopped ? undefined : messageOf(reason);
        this.#command?.send(noteText({ ended: text, notStarted: reason instanceof ServerNotStarted }));
        void this.#command?.close();
        void this.stop();
      },
    });
  }

  /** Whether the server is in use, or waits for the next command. */
  get isHeld(): boolean {
    return this.#command !== undefined || this.#canKeep;
  }

  get status(): KeptStatus {
    const { pid } = this.#spawned.child;
    return { name: this.wanted.name, pid, inUse: this.#command !== undefined };
  }

  /** Whether a command that begins with the message `first` would get the same answers from a new server. */
  serves(wanted: WantedServer, first: string): boolean {
    const opening = openingOf(messageIn(first));
    return (
      this.#canKeep &&
      opening === this.#opening &&
      canonical(wanted.process) === canonical(this.wanted.process) &&
      (opening === '' || canonical(wanted.roots ?? []) === this.#roots)
    );
  }

  lend(command: Channel): void {
    this.#command = command;
  }

  /** Passes a message of the command on. */
  send(text: string): void {
    const message = messageIn(text);
    const { id, method, params } = message;
    if (method === 'initialize' && this.#initialized !== undefined) {
      const result = this.#initialized;
      return this.#command?.send(JSON.stringify({ jsonrpc: '2.0', id, result }));
    }
    if (method === 'notifications/initialized') {
      if (this.#isReady) return;
      this.#isReady = true;
    }
    if (method === 'initialize') [this.#opening, this.#initializeId] = [openingOf(message), id];
    if (changing.includes(method)) this.#canKeep = false;
    if (method === undefined) this.#asked.delete(id);
    else if (id !== undefined) this.#waiting.add(id);
    else if (method === 'notifications/cancelled') this.#cancel(isObject(params) ? params['requestId'] : id);
    pass(text, method, this.#command, this.#spawned.channel);
  }

  /** Ends the use by a command; returns whether another command can use the server. */
  release(): boolean {
    this.#command = undefined;
    // A server of an older revision that goes on with a cancelled request may ask the next command for it.
    const isOpen = this.#opening === '' || (this.#isReady && this.#cancelled.size === 0);
    this.#canKeep &&= isOpen && this.#waiting.size === 0 && this.#asked.size === 0;
    return this.#canKeep;
  }

  /** Ends the server with its next release, or now if no command uses it. */
  outdate(): void {
    this.#canKeep = false;
    if (!this.#command) void this.stop();
  }

  /** Ends the server, within a limited time. */
  async stop(): Promise<void> {
    this.#canKeep = false;
    this.#isStopped = true;
    await this.#spawned.channel.close();
  }

  #cancel(id: unknown): void {
    if (this.#waiting.delete(id)) this.#cancelled.add(id);
  }

  #received(text: string): void {
    const message = messageIn(text);
    const { id, method, params, result } = message;
    if (method !== undefined && id !== undefined) {
      // A request outside of a command has no user who could answer it.
      if (!this.#command) return this.outdate();
      this.#asked.add(id);
    } else if (method === 'notifications/cancelled' && isObject(params)) {
      this.#asked.delete(params['requestId']);
    } else if (method === undefined) {
      if (this.#cancelled.delete(id)) return;
      this.#waiting.delete(id);
      if (id !== undefined && id === this.#initializeId) this.#initialized = result;
    }
    pass(messageText(text), method, this.#spawned.channel, this.#command);
  }
}

/** Sends a message on; the sender waits while the receiver does not read. */
function pass(text: string, method: unknown, from: Channel | undefined, to: Channel | undefined): void {
  to?.send(text, typeof method === 'string' ? { method } : undefined);
  if (!to?.congested) return;
  from?.hold(true);
  void to.drained().then(() => from?.hold(false));
}

function openingOf({ method, params }: Message): string {
  return method === 'initialize' ? canonical(params) : '';
}

/** The parts of a message; none for a text that is no single message. */
function messageIn(text: string): Message {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
