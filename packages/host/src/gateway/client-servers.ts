import type { ListKind } from '../servers/lists.ts';
import { Catalog } from './catalog.ts';
import { Coalesced } from './coalesced.ts';
import type { GatewayParts } from './gateway-parts.ts';
import type { ConnectionOwner } from './server-connection.ts';
import { type ChangedKind, type LogLevel, ServerLink } from './server-link.ts';

/** The servers of one client, with all that they list. */
export class ClientServers {
  readonly links: readonly ServerLink[];
  /** All that the servers list, as it was last read. */
  readonly catalog: Catalog;
  readonly #listeners = new Map<ChangedKind, Set<() => void>>();
  readonly #changes: readonly Coalesced[];
  #logLevel: LogLevel | undefined;

  constructor(parts: GatewayParts, wantsLogs: boolean, owner: ConnectionOwner) {
    const changes = new Map(
      (['tools', 'resources', 'prompts'] as const).map((kind) => {
        this.#listeners.set(kind, new Set());
        return [kind, new Coalesced(() => this.#listeners.get(kind)?.forEach((changed) => changed()))];
      }),
    );
    this.#changes = [...changes.values()];
    this.links = parts.names.map(
      (name) =>
        new ServerLink(name, {
          ...parts,
          owner,
          wantsLogs,
          logLevel: () => this.#logLevel,
          listed: (kind) => this.catalog.update(kind),
          changed: (kind) => changes.get(kind)?.trigger(),
        }),
    );
    this.catalog = new Catalog(this.links, parts.prefixed);
  }

  /** Starts all servers, and waits for each a limited time. */
  async settle(): Promise<void> {
    await Promise.all(this.links.map((link) => link.settle()));
  }

  /** All that the servers list, after a list was read again where that is needed. */
  async refreshed(kind: ListKind): Promise<Catalog> {
    await Promise.all(this.links.map((link) => link.refresh(kind)));
    return this.catalog;
  }

  watch(kind: ChangedKind, changed: () => void): () => void {
    // Two watches may bring the same function.
    const listener = () => changed();
    this.#listeners.get(kind)?.add(listener);
    return () => void this.#listeners.get(kind)?.delete(listener);
  }

  /** Sets the log level of the connections that are this client's own, now and later. */
  async setLogLevel(level: LogLevel): Promise<void> {
    this.#logLevel = level;
    await Promise.all(this.links.map((link) => link.setLogLevel(level)));
  }

  async close(): Promise<void> {
    for (const change of this.#changes) change.cancel();
    for (const listeners of this.#listeners.values()) listeners.clear();
    await Promise.all(this.links.map((link) => link.close()));
  }
}
