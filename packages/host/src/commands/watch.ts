import { once } from 'node:events';
import type { Client } from '@mcp/protocol/client';
import { type Command, type CommandInput, valueOf } from '../command-line/command.ts';
import { countOf, millisecondsOf } from '../command-line/numbers.ts';
import { exitCodes } from '../errors.ts';
import { followConfiguration } from '../servers/follow-configuration.ts';
import { type Change, ExecQueue } from './exec-queue.ts';
import { parseWatchTopics, type WatchTopics } from './watch-topics.ts';

/** The lists of a server that can be watched. */
const lists = ['tools', 'resources', 'prompts'] as const;

const defaultExecTimeoutMs = 60_000;

export const watch: Command = {
  name: 'watch',
  usage: '<server> <uri…> [<server> <uri…>] | <server:uri…> | <server…> --lists',
  help: 'prints a line for each change of resources or lists, until it is interrupted; survives restarts of servers and follows the configuration',
  words: ['server or resource'],
  options: [
    { name: 'lists', help: 'changes of the lists of tools, resources and prompts' },
    {
      name: 'exec',
      value: 'command',
      help: 'runs a command for changes, one at a time, with MCP_SERVER, MCP_URI, MCP_LIST and MCP_CHANGES',
    },
    { name: 'exec-timeout', value: 'seconds', help: 'how long the command may take; 60 by default' },
    { name: 'count', value: 'number', help: 'ends after so many changes' },
  ],
  async run(input) {
    const { positionals, servers, options, signal } = input;
    const topics = parseWatchTopics(positionals, servers.names, options['lists'] === true);
    const changes = new Changes(input);
    const watches = new Watches(topics, changes, input);
    const following = watches.followConfiguration();
    try {
      await watches.start(following);
      if (!signal.aborted) await Promise.race([changes.complete, once(signal, 'abort')]);
      return signal.aborted ? exitCodes.interrupted : watches.exitCode;
    } finally {
      (await following)();
      changes.stop();
    }
  },
};

/** Prints changes, and runs the command of `--exec`. */
class Changes {
  /** Resolves after the last change of `--count`, and the commands that it runs. */
  readonly complete: Promise<void>;
  readonly #input: CommandInput;
  readonly #exec: ExecQueue | undefined;
  readonly #max: number;
  #count = 0;
  #finish: () => void = () => {};

  constructor(input: CommandInput) {
    const { options, output } = input;
    this.#input = input;
    this.#max = countOf(options);
    const timeoutMs = millisecondsOf(options, 'exec-timeout') ?? defaultExecTimeoutMs;
    const command = valueOf(options, 'exec');
    const warn = (message: string) => output.note(message, 'yellow');
    this.#exec = command === undefined ? undefined : new ExecQueue({ command, timeoutMs, warn });
    this.complete = new Promise((resolve) => (this.#finish = resolve));
  }

  add(change: Change): void {
    if (this.#count >= this.#max) return;
    this.#count++;
    const { output } = this.#input;
    if (output.json) output.jsonLine({ ...change, at: new Date().toISOString() });
    else output.foreign(`${change.server} ${change.uri ?? `list of ${change.list}`}`);
    this.#exec?.add(change);
    if (this.#count === this.#max) void (this.#exec?.drained() ?? Promise.resolve()).then(this.#finish);
  }

  stop(): void {
    this.#exec?.stop();
  }
}

/** The subscriptions of all watched servers. */
class Watches {
  readonly #topics: ReadonlyMap<string, WatchTopics>;
  readonly #changes: Changes;
  readonly #input: CommandInput;
  readonly #failed = new Set<string>();

  constructor(topics: readonly WatchTopics[], changes: Changes, input: CommandInput) {
    this.#topics = new Map(topics.map((each) => [each.server, each]));
    this.#changes = changes;
    this.#input = input;
  }

  /** 4 where one of several servers could not be watched. */
  get exitCode(): number {
    return this.#failed.size > 0 ? exitCodes.unreachable : exitCodes.ok;
  }

  /** Watches all servers at the same time, and the configuration; rejects where none can be watched. */
  async start(following: Promise<unknown>): Promise<void> {
    const starts = await Promise.allSettled(
      [...this.#topics.keys()].map((server) => this.#watch(server, following)),
    );
    const [first] = starts.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    if (starts.every(({ status }) => status === 'rejected')) throw first;
    for (const each of starts) if (each.status === 'rejected') this.#warn(each.reason);
  }

  /** Watches the servers that a changed configuration starts again or adds. Returns how to stop that. */
  async followConfiguration(): Promise<() => void> {
    const { servers, load } = this.#input;
    if (!load) return () => {};
    return followConfiguration(servers, {
      load,
      changed: ({ added, restarted, removed }) => {
        for (const server of [...added, ...restarted])
          if (this.#topics.has(server)) this.#watch(server).catch((error: unknown) => this.#warn(error));
        for (const server of removed)
          if (this.#topics.has(server))
            this.#warn(`The configuration no longer names the server "${server}"`);
      },
      warn: (message) => this.#warn(message),
    }).catch((error: unknown) => {
      this.#warn(`The configuration is not followed: ${String(error)}`);
      return () => {};
    });
  }

  async #watch(server: string, following?: Promise<unknown>): Promise<void> {
    const { servers, output } = this.#input;
    this.#failed.add(server);
    await servers.use(server, (client) => this.#subscribe(client, this.#topics.get(server)!));
    this.#failed.delete(server);
    await following;
    output.note(`watching ${server}`, 'dim');
  }

  async #subscribe(client: Client, { server, uris, lists: wantsLists }: WatchTopics): Promise<void> {
    const lost = (error: Error) => this.#warn(error);
    for (const uri of uris) await client.subscribe(uri, () => this.#changes.add({ server, uri }), { lost });
    for (const list of wantsLists ? lists : []) {
      const capability = client.capabilities[list] as { readonly listChanged?: boolean } | undefined;
      if (capability?.listChanged)
        await client.watchList(list, () => this.#changes.add({ server, list }), { lost });
    }
  }

  #warn(problem: unknown): void {
    this.#input.output.note(problem instanceof Error ? problem.message : String(problem), 'yellow');
  }
}
