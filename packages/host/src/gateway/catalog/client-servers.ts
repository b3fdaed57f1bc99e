import type { LogLevel } from '@mcp/protocol';
import type { ListKind, LogMessage } from '@mcp/protocol/client';
import type { ListName } from '../../servers/lists.ts';
import type { ConfigurationChanges } from '../../servers/servers.ts';
import { Catalog, type CatalogOptions } from './catalog.ts';
import { Debounce } from './debounce.ts';
import type { GatewaySettings } from '../gateway-settings.ts';
import { isFrom } from '../links/client-identity.ts';
import { type LinkOptions, ServerLink } from '../links/server-link.ts';

/** The servers of one client, with all that they list. */
export class ClientServers {
  /** The links to the servers, in the order of the configuration. */
  links: readonly ServerLink[];
  /** The tools, prompts and resources that the servers list, as they were last read. */
  catalog: Catalog;
  readonly #catalogOptions: CatalogOptions;
  readonly #linkOptions: LinkOptions;
  readonly #listeners = new Map<ListKind, Set<() => void>>();
  readonly #changes = new Map<ListKind, Debounce>();
  #logLevel: LogLevel | undefined;

  constructor(
    names: readonly string[],
    { servers, listWaitMs, prefixed, lazy, servedTools }: GatewaySettings,
    { wantsLogs, owner, policy }: Pick<LinkOptions, 'wantsLogs' | 'owner'> & Pick<CatalogOptions, 'policy'>,
  ) {
    for (const kind of ['tools', 'resources', 'prompts'] as const) {
      const listeners = new Set<() => void>();
      this.#listeners.set(kind, listeners);
      this.#changes.set(kind, new Debounce(() => listeners.forEach((changed) => changed())));
    }
    // With `lazy`, a host does not see which tools are for views.
    this.#catalogOptions = { prefixed, showsViews: owner.identity.showsViews && !lazy, policy };
    this.#linkOptions = {
      servers,
      listWaitMs,
      servedTools,
      owner,
      wantsLogs,
      logLevel: () => this.#logLevel,
      onListed: (kind) => this.catalog.update(kind),
      onChange: (kind) => this.#changes.get(kind)?.trigger(),
    };
    this.links = names.map((name) => new ServerLink(name, this.#linkOptions));
    this.catalog = new Catalog(this.links, this.#catalogOptions);
  }

  /** The names of the servers, in the order of the configuration. */
  get names(): readonly string[] {
    return this.links.map(({ name }) => name);
  }

  /** Replaces the links to removed, added and restarted servers after the configuration has changed. */
  reconfigure(names: readonly string[], { restarted, adjusted }: ConfigurationChanges): void {
    const before = new Map(this.links.map((link) => [link.name, link]));
    this.links = names.map((name) => {
      const link = before.get(name);
      if (link && !restarted.includes(name)) return link;
      return new ServerLink(name, this.#linkOptions, link?.subscriptions);
    });
    this.catalog = new Catalog(this.links, this.#catalogOptions);
    // Errors can be ignored here: each link warns of its own errors, and tries again.
    const ignore = () => {};
    for (const link of before.values()) if (!this.links.includes(link)) link.close().catch(ignore);
    let changed = this.links.length !== before.size;
    for (const link of this.links) {
      const isNew = before.get(link.name) !== link;
      changed ||= isNew;
      if (isNew && link.subscriptions.size > 0) link.open().catch(ignore);
      if (!isNew && adjusted.includes(link.name)) link.adjust().catch(ignore);
    }
    if (changed) for (const change of this.#changes.values()) change.trigger();
  }

  /** Starts all servers, and waits for each server for a limited time; see `ServerLink.waitForStart`. */
  async waitForStart(answers = true): Promise<void> {
    await Promise.all(this.links.map((link) => link.waitForStart(answers)));
  }

  /**
   * Reads a list again from each server that sends no notification when this list changes, and returns the
   * catalog.
   */
  async refreshed(kind: ListName): Promise<Catalog> {
    await Promise.all(this.links.map((link) => link.refresh(kind)));
    return this.catalog;
  }

  watch(kind: ListKind, changed: () => void): () => void {
    // Makes a new function for each watch: a `Set` would contain the same `changed` of two watches only once.
    const listener = () => changed();
    this.#listeners.get(kind)?.add(listener);
    return () => void this.#listeners.get(kind)?.delete(listener);
  }

  /** Sets the log level of all connections that only this client uses, including later ones. */
  async setLogLevel(level: LogLevel): Promise<void> {
    this.#logLevel = level;
    await Promise.all(this.links.map((link) => link.setLogLevel(level)));
  }

  /** Whether the client has not asked for messages of higher levels alone. */
  wantsLog({ level }: LogMessage): boolean {
    return this.#logLevel === undefined || isFrom(level, this.#logLevel);
  }

  async close(): Promise<void> {
    for (const change of this.#changes.values()) change.cancel();
    for (const listeners of this.#listeners.values()) listeners.clear();
    await Promise.all(this.links.map((link) => link.close()));
  }
}
