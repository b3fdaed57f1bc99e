import type { ListKind } from '../../servers/lists.ts';
import type { ConfigurationChanges } from '../../servers/servers.ts';
import { Catalog } from './catalog.ts';
import { Coalesced } from './coalesced.ts';
import type { GatewayParts } from '../gateway-parts.ts';
import type { ConnectionOwner } from '../links/server-connection.ts';
import { type ChangedKind, type LinkOptions, type LogLevel, ServerLink } from '../links/server-link.ts';

/** The servers of one client, with all that they list. */
export class ClientServers {
  /** In the order of the configuration. */
  links: readonly ServerLink[];
  /** All that the servers list, as it was last read. */
  catalog: Catalog;
  readonly #parts: GatewayParts;
  readonly #linkOptions: LinkOptions;
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
    this.#parts = parts;
    const { servers, pool, listWaitMs } = parts;
    this.#linkOptions = {
      servers,
      pool,
      listWaitMs,
      owner,
      wantsLogs,
      logLevel: () => this.#logLevel,
      listed: (kind) => this.catalog.update(kind),
      changed: (kind) => changes.get(kind)?.trigger(),
    };
    this.links = parts.names.map((name) => new ServerLink(name, this.#linkOptions));
    this.catalog = new Catalog(this.links, parts.prefixed);
  }

  /** Adopts the servers of a changed configuration; `dropped` are the shared connections that end. */
  reconfigure({ restarted, adjusted }: ConfigurationChanges, dropped: Promise<unknown>): void {
    const before = new Map(this.links.map((link) => [link.name, link]));
    const kept = (name: string) => (restarted.includes(name) ? undefined : before.get(name));
    const ends = new Map<string, Promise<unknown>>();
    for (const [name, link] of before) {
      if (this.#parts.names.includes(name) && kept(name)) continue;
      ends.set(name, Promise.allSettled([dropped, link.close()]));
    }
    this.links = this.#parts.names.map(
      (name) =>
        kept(name) ??
        new ServerLink(
          name,
          { ...this.#linkOptions, after: ends.get(name) ?? dropped },
          before.get(name)?.subscriptions,
        ),
    );
    this.catalog = new Catalog(this.links, this.#parts.prefixed);
    // A failure is a warning, and is tried again.
    const ignored = () => {};
    for (const link of this.links)
      if (ends.has(link.name) && link.subscriptions.size > 0) link.open().catch(ignored);
    for (const name of adjusted) kept(name)?.adjust().catch(ignored);
    if (ends.size > 0 || this.links.length > before.size)
      for (const change of this.#changes) change.trigger();
  }

  /** Starts all servers, and waits for each a limited time; see `ServerLink.settle`. */
  async settle(answers = true): Promise<void> {
    await Promise.all(this.links.map((link) => link.settle(answers)));
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
