import { messageOf } from '@mcp/kit';
import type { Client } from '@mcp/protocol/client';
import type { CommandInput } from '../../command-line/command.ts';
import { exitCodes } from '../../errors.ts';
import { followConfiguration } from '../../servers/follow-configuration.ts';
import type { Changes } from './changes.ts';
import type { WatchTopics } from './watch-topics.ts';

/** The lists of a server that can be watched. */
const lists = ['tools', 'resources', 'prompts'] as const;

/** The subscriptions of all watched servers. */
export class Watches {
  readonly #topics: ReadonlyMap<string, WatchTopics>;
  readonly #changes: Changes;
  readonly #input: CommandInput;
  readonly #failed = new Set<string>();

  constructor(topics: readonly WatchTopics[], changes: Changes, input: CommandInput) {
    this.#topics = new Map(topics.map((each) => [each.server, each]));
    this.#changes = changes;
    this.#input = input;
  }

  /** `exitCodes.unreachable` if a server could not be watched. */
  get exitCode(): number {
    return this.#failed.size > 0 ? exitCodes.unreachable : exitCodes.ok;
  }

  /**
   * Watches all servers; rejects if none can be watched. Prints that a server is watched only after
   * `following` has resolved: then changes of the configuration are noticed as well.
   */
  async start(following: Promise<unknown>): Promise<void> {
    const starts = await Promise.allSettled(
      [...this.#topics.keys()].map((server) => this.#watch(server, following)),
    );
    const [first] = starts.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    if (starts.every(({ status }) => status === 'rejected')) throw first;
    for (const each of starts) if (each.status === 'rejected') this.#warn(each.reason);
  }

  /** Watches servers that a changed configuration adds or restarts, until the returned function is called. */
  followConfiguration(): Promise<() => void> {
    const { servers, load } = this.#input;
    return followConfiguration(servers, {
      load,
      onChange: ({ added, restarted, removed }) => {
        for (const server of [...added, ...restarted])
          if (this.#topics.has(server)) this.#watch(server).catch((error: unknown) => this.#warn(error));
        for (const server of removed)
          if (this.#topics.has(server))
            this.#warn(`The configuration no longer names the server "${server}"`);
      },
      onWarning: (message) => this.#warn(message),
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
    for (const uri of uris)
      await client.subscribe(uri, () => this.#changes.add({ server, uri }), { onLost: lost });
    for (const list of wantsLists ? lists : []) {
      const capability = client.capabilities[list] as { readonly listChanged?: boolean } | undefined;
      if (capability?.listChanged)
        await client.watchList(list, () => this.#changes.add({ server, list }), { onLost: lost });
    }
  }

  #warn(problem: unknown): void {
    this.#input.output.warning(messageOf(problem));
  }
}
