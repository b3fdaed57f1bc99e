import { createServer, type Socket } from 'node:net';
import { callSafely } from '@mcp/kit';
import { type Leave, listenAt } from '@mcp/protocol/http';
import { StreamChannel } from '@mcp/protocol/stdio';
import type { Watcher } from '@mcp/watch';
import { loadConfiguration, type LoadOptions } from '../config/load-configuration.ts';
import { canonical } from '../trust/fingerprint.ts';
import type { KeepRequest, KeptStatus, WantedServer } from './keep-request.ts';
import { KeptServer } from './kept-server.ts';

export interface KeeperOptions {
  readonly address: string;
  /** Milliseconds after its last use in which a server, and at last this process, ends. */
  readonly idleMs: number;
  readonly watcher: Watcher;
  /** How configurations are read again when their file has changed. */
  readonly load: LoadOptions;
}

/** Keeps servers for commands, each for one command at a time. */
export class Keeper {
  /** Resolves when no command has come for `idleMs`, or when a command or `stop` has stopped this process. */
  readonly stopped: Promise<void>;
  readonly #options: KeeperOptions;
  readonly #listener = createServer((socket) => this.#connected(socket));
  readonly #commands = new Set<StreamChannel>();
  readonly #servers = new Set<KeptServer>();
  /** The last server of each entry that no command uses: it is idle, or it is ending. */
  readonly #idle = new Map<string, KeptServer>();
  readonly #timers = new Map<KeptServer, NodeJS.Timeout>();
  #resolveStopped: () => void = () => {};
  #leave: Leave | undefined;
  #timer: NodeJS.Timeout | undefined;
  #idleMs: number;
  #runs = 0;

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#idleMs = options.idleMs;
    this.stopped = new Promise((resolve) => (this.#resolveStopped = resolve));
  }

  /** Begins to listen; rejects if another process listens at the address. */
  async listen(): Promise<void> {
    this.#leave = await listenAt(this.#listener, { socketPath: this.#options.address });
    this.#endLater();
  }

  /** Ends all servers, also those in use, then calls `last`, and ends the connections of commands. */
  async stop(last?: () => void): Promise<void> {
    this.#leave?.(() => this.#listener.close());
    this.#leave = undefined;
    clearTimeout(this.#timer);
    await Promise.all(Array.from(this.#servers, (server) => server.stop()));
    last?.();
    for (const command of this.#commands) void command.close();
    this.#resolveStopped();
  }

  #connected(socket: Socket): void {
    const command = new StreamChannel(socket, socket);
    let wanted: WantedServer | undefined;
    let server: KeptServer | undefined;
    this.#commands.add(command);
    clearTimeout(this.#timer);
    // A command that does not end does not keep this process.
    socket.unref();
    let isRefused = false;
    const refuse = () => {
      isRefused = true;
      socket.destroy();
      command.hold(false);
    };
    command.open({
      message: (text) => {
        if (server || isRefused) return server?.send(text);
        if (!wanted) return callSafely(() => (wanted = this.#greeted(text, command)), refuse);
        // The first message decides which server the command gets; the next ones wait.
        command.hold(true);
        const begin = (taken: KeptServer) => {
          server = taken;
          taken.send(text);
          command.hold(false);
        };
        this.#taken(wanted, text, command).then(begin, refuse);
      },
      malformed: refuse,
      ended: () => {
        this.#commands.delete(command);
        if (server) this.#release(server);
        void command.close();
        if (this.#commands.size === 0) this.#endLater();
      },
    });
  }

  /** Answers the first line of a connection; returns the server that the command wants to use, if any. */
  #greeted(text: string, command: StreamChannel): WantedServer | undefined {
    const request = JSON.parse(text) as KeepRequest;
    const answer = (value: unknown) => command.send(JSON.stringify(value));
    if ('use' in request) {
      answer({ run: this.#runs++ });
      return request.use;
    }
    if ('stop' in request) void this.stop(() => answer(true));
    else if ('status' in request) answer(this.#status);
    else answer((this.#idleMs = request.idleMs));
    return undefined;
  }

  get #status(): readonly KeptStatus[] {
    return [...this.#servers].filter(({ isHeld }) => isHeld).map(({ status }) => status);
  }

  /** Returns the idle server that a command can use, or a new one after the idle one has ended. */
  async #taken(wanted: WantedServer, first: string, command: StreamChannel): Promise<KeptServer> {
    const entry = entryOf(wanted);
    const idle = this.#idle.get(entry);
    if (idle?.serves(wanted, first)) {
      this.#idle.delete(entry);
      clearTimeout(this.#timers.get(idle));
      idle.lend(command);
      return idle;
    }
    // Two processes could use the same file or port.
    await idle?.stop();
    if (!this.#leave) throw new Error('This process ends');
    const server = new KeptServer(wanted);
    server.lend(command);
    this.#servers.add(server);
    void server.ended.then(() => this.#forget(server));
    // Without a watch, the server ends when it is idle, or before its changed entry is used.
    this.#follow(server).catch(() => {});
    return server;
  }

  #release(server: KeptServer): void {
    if (!this.#servers.has(server)) return;
    const entry = entryOf(server.wanted);
    const isKept = server.release() && !this.#idle.has(entry);
    if (!this.#idle.has(entry)) this.#idle.set(entry, server);
    if (!isKept) return void server.stop();
    this.#timers.set(
      server,
      setTimeout(() => server.outdate(), this.#idleMs),
    );
  }

  #forget(server: KeptServer): void {
    const entry = entryOf(server.wanted);
    clearTimeout(this.#timers.get(server));
    this.#timers.delete(server);
    this.#servers.delete(server);
    if (this.#idle.get(entry) === server) this.#idle.delete(entry);
  }

  #endLater(): void {
    clearTimeout(this.#timer);
    if (this.#leave) this.#timer = setTimeout(() => void this.stop(), this.#idleMs);
  }

  /** Ends the server when its entry has changed or is gone. A file that cannot be read changes nothing. */
  async #follow(server: KeptServer): Promise<void> {
    const { name, configured } = server.wanted;
    if (!configured) return;
    const { file, files, cwd } = configured;
    let last = '';
    const identity = async () => {
      const { servers, problems } = await loadConfiguration({ ...this.#options.load, files, cwd });
      if (problems.some((problem) => problem.file === file)) return last;
      const found = servers.find((each) => each.name === name && each.origin.file === file);
      return (last = canonical([found?.enabled, found?.written]));
    };
    const stop = await this.#options.watcher.watch(file, () => server.outdate(), { identity });
    void server.ended.then(stop);
  }
}

/** Identifies the entry of a server: two servers of one entry are not kept at the same time. */
function entryOf({ name, configured, process }: WantedServer): string {
  return canonical(configured ? [name, configured.file] : process);
}
