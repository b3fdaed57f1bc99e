import type { CallOptions, Client } from '@mcp/protocol/client';
import type { ServerEntry } from '../config/entry/server-entry.ts';
import { type Capabilities, capabilitySet } from '../trust/capability-set.ts';
import { isToolAllowed } from '../trust/is-tool-allowed.ts';
import type { PinnedTool, ToolChange } from '../trust/tool-changes.ts';
import type { TrustStore } from '../trust/trust-store.ts';
import type { ListCache } from './list-cache.ts';
import { type Listed, type ListItems, type ListName, readList } from './lists.ts';

export interface ServerListsOptions {
  readonly trust: TrustStore;
  readonly listCache: ListCache;
  readonly onToolsWithheld: (server: string, changes: readonly ToolChange[]) => void;
  /** Whether tools are shown without comparing them with those that were accepted. Default: false. */
  readonly acceptsToolChanges?: boolean;
}

/** The tools of a server's cached list. */
export interface CachedTools {
  /** All tools that the server listed. */
  readonly all: readonly ListItems['tools'][];
  /** Those of `all` that the filter allows and that have not changed since they were accepted. */
  readonly shown: readonly ListItems['tools'][];
  /** The tools that have changed since they were accepted. */
  readonly changes: readonly ToolChange[];
  /** When the list was read, in milliseconds since 1970. */
  readonly cachedAt: number;
}

/** How the tools of a server have changed since they were accepted. */
export interface ToolReview {
  readonly changes: readonly ToolChange[];
  /** Accepts exactly the reviewed tools, whatever the server lists after that. */
  readonly accept: () => void;
}

/**
 * Reads and caches the lists of servers. Leaves out tools that the filter hides, and tools that are new or
 * changed since the user accepted the server's tools.
 */
export class ServerLists {
  readonly #options: ServerListsOptions;

  constructor(options: ServerListsOptions) {
    this.#options = options;
  }

  /** Reads a list from the server, and stores it in the cache for later runs. */
  async read<K extends ListName>(
    client: Client,
    entry: ServerEntry,
    kind: K,
    options: CallOptions,
  ): Promise<Listed<K>> {
    const items = await readList(client, entry, kind, options);
    const shown = kind === 'tools' ? this.shown(entry, items, client.declaredCapabilities) : items;
    this.#options.listCache.set(entry, kind, items);
    return { items: shown };
  }

  /** The stored list of an earlier run; undefined if there is none. */
  cached<K extends ListName>(entry: ServerEntry, kind: K): Listed<K> | undefined {
    if (kind === 'tools') {
      const tools = this.cachedTools(entry);
      if (tools) this.#report(entry, tools.changes);
      return tools && { items: tools.shown as readonly ListItems[K][], cachedAt: tools.cachedAt };
    }
    const cached = this.#options.listCache.get(entry, kind);
    return cached && { items: cached.items, cachedAt: cached.at };
  }

  /**
   * The tools of the stored list, with and without those that are hidden; undefined if there is none. Their
   * changes are not reported.
   */
  cachedTools(entry: ServerEntry): CachedTools | undefined {
    const { trust, listCache } = this.#options;
    const cached = listCache.get(entry, 'tools');
    if (!cached) return undefined;
    const { items: all, at: cachedAt } = cached;
    const changes = trust.checkCachedTools(entry, all);
    return { all, shown: allowed(entry, all, changes), changes, cachedAt };
  }

  /**
   * Returns the tools that a client with `capabilities` is shown: those that the filter allows and the user
   * has accepted. The tools of a server's first list with tools count as accepted.
   */
  shown<T extends PinnedTool>(
    entry: ServerEntry,
    tools: readonly T[],
    capabilities: Capabilities,
  ): readonly T[] {
    const { trust, acceptsToolChanges } = this.#options;
    if (acceptsToolChanges) return allowed(entry, tools, []);
    const declared = capabilitySet(capabilities);
    const { known, changes } = trust.checkTools(entry, tools, declared);
    // A list without tools accepts none: a server may learn of its tools only after it has started.
    if (!known && tools.length > 0) trust.acceptTools(entry, unchanged(tools, changes), declared);
    trust.withholdTools(entry, changes);
    this.#report(entry, changes);
    return allowed(entry, tools, changes);
  }

  async review(client: Client, entry: ServerEntry): Promise<ToolReview> {
    const { trust } = this.#options;
    const tools = await readList(client, entry, 'tools', {});
    const declared = capabilitySet(client.declaredCapabilities);
    const { changes } = trust.checkTools(entry, tools, declared);
    return { changes, accept: () => trust.acceptTools(entry, tools, declared) };
  }

  #report({ name }: ServerEntry, changes: readonly ToolChange[]): void {
    if (changes.length > 0) this.#options.onToolsWithheld(name, changes);
  }
}

/** The tools that the filter of an entry allows, without those that have changed. */
function allowed<T extends PinnedTool>(
  { tools: filter }: ServerEntry,
  tools: readonly T[],
  changes: readonly ToolChange[],
): readonly T[] {
  return unchanged(tools, changes).filter((tool) => isToolAllowed(tool.name, filter));
}

function unchanged<T extends PinnedTool>(tools: readonly T[], changes: readonly ToolChange[]): readonly T[] {
  const withheld = new Set(changes.filter(({ kind }) => kind !== 'removed').map(({ name }) => name));
  return tools.filter(({ name }) => !withheld.has(name));
}
