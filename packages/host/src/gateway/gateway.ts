import type { Server } from '@mcp/protocol';
import { ContinuedCalls, defineProxy, type ProxyClient } from '@mcp/protocol/proxy';
import type { ConfigurationChanges } from '../servers/servers.ts';
import { GatewayClient } from './clients/gateway-client.ts';
import { StatelessClients } from './clients/stateless-clients.ts';
import type { GatewayOptions, GatewaySettings } from './gateway-settings.ts';
import { TaskIds } from './task-ids.ts';

const defaults = { prefixed: true, lazy: false, reconfigurable: false, listWaitMs: 3_000 };

/**
 * Serves many servers as one server, in every protocol revision. Clients share a connection to a server only
 * if the connection keeps no state.
 */
export class Gateway implements AsyncDisposable {
  /** The server that combines the named servers, for `serveStdio` and `serveHttp`. */
  readonly server: Server;
  readonly #conversations = new Set<GatewayClient>();
  readonly #stateless: StatelessClients;
  readonly #continued: ContinuedCalls | undefined;
  #names: readonly string[];

  /** Serves the servers of these names, in their order. */
  constructor(names: readonly string[], options: GatewayOptions) {
    const { shared } = options;
    this.#continued = shared && new ContinuedCalls(shared.store);
    const settings: GatewaySettings = {
      ...defaults,
      onRequest: undefined,
      servedTools: undefined,
      policies: undefined,
      audit: undefined,
      shownLogs: undefined,
      ...options,
      taskIds: new TaskIds(shared?.key),
      continued: this.#continued,
    };
    if (!settings.prefixed && names.length !== 1)
      throw new Error(
        `Invalid "prefixed": false, with ${names.length} servers; expected true, or one server`,
      );
    const clientOf = (client: ProxyClient, onClose?: () => void) =>
      new GatewayClient(client, this.#names, settings, onClose);
    this.#names = names;
    this.#stateless = new StatelessClients(clientOf);
    this.server = defineProxy({
      name: 'mcp',
      version: options.version,
      observe: options.observe,
      title: names.length === 1 ? `${names[0]} (mcp serve)` : `mcp serve (${names.length} servers)`,
      session: (client) => {
        if (!client.conversation) return this.#stateless.of(client);
        const conversation = clientOf(client, () => this.#conversations.delete(conversation));
        this.#conversations.add(conversation);
        return conversation;
      },
    });
  }

  /**
   * Serves the servers of these names from now on, and notifies the clients. Call it after `Servers.reload`,
   * with the changes that it made.
   */
  reconfigure(names: readonly string[], changes: ConfigurationChanges): void {
    this.#names = names;
    for (const client of [...this.#conversations, ...this.#stateless.all]) client.reconfigure(names, changes);
  }

  /** Ends the sessions of all clients. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#conversations].map((client) => client.close()));
    await this.#stateless.close();
    await this.#continued?.close();
  }
}
