import type { ServerEntry } from '../config/server-entry.ts';
import { type Capabilities, capabilitySet } from '../trust/capability-set.ts';
import type { PinnedTool, ToolChange } from '../trust/tool-changes.ts';
import { isToolAllowed } from '../trust/tool-filter.ts';
import type { TrustStore } from '../trust/trust-store.ts';
import { assertShallow } from './assert-shallow.ts';

export interface AcceptedToolsOptions {
  /** The tools that were accepted. */
  readonly trust: TrustStore;
  /** Called when tools have changed since they were accepted; they are withheld. */
  readonly toolsWithheld: (server: string, changes: readonly ToolChange[]) => void;
}

/** How the tools of a server have changed since they were accepted. */
export interface ToolReview {
  readonly changes: readonly ToolChange[];
  /** Accepts exactly the reviewed tools, whatever the server lists after that. */
  readonly accept: () => void;
}

/** Shows the tools of servers that their filters show and that are as they were accepted. */
export class AcceptedTools {
  readonly #options: AcceptedToolsOptions;

  constructor(options: AcceptedToolsOptions) {
    this.#options = options;
  }

  /**
   * The shown ones of a list; `capabilities` are those of the client that got it. A first list is accepted.
   */
  shown<T extends PinnedTool>(
    entry: ServerEntry,
    tools: readonly T[],
    capabilities: Capabilities,
  ): readonly T[] {
    const { trust } = this.#options;
    assertShallow(entry.name, 'tools', tools);
    const declared = capabilitySet(capabilities);
    const { known, changes } = trust.checkTools(entry, tools, declared);
    const unchanged = this.#unchanged(entry, tools, changes);
    if (!known) trust.acceptTools(entry, unchanged, declared);
    trust.withholdTools(entry, changes);
    return allowed(entry, unchanged);
  }

  /** The shown ones of a list of an earlier run. */
  shownOfCache<T extends PinnedTool>(entry: ServerEntry, tools: readonly T[]): readonly T[] {
    const changes = this.#options.trust.checkCachedTools(entry, tools);
    return allowed(entry, this.#unchanged(entry, tools, changes));
  }

  review(entry: ServerEntry, tools: readonly PinnedTool[], capabilities: Capabilities): ToolReview {
    const { trust } = this.#options;
    assertShallow(entry.name, 'tools', tools);
    const declared = capabilitySet(capabilities);
    const { changes } = trust.checkTools(entry, tools, declared);
    return { changes, accept: () => trust.acceptTools(entry, tools, declared) };
  }

  #unchanged<T extends PinnedTool>(
    { name: server }: ServerEntry,
    tools: readonly T[],
    changes: readonly ToolChange[],
  ): readonly T[] {
    if (changes.length > 0) this.#options.toolsWithheld(server, changes);
    const withheld = new Set(changes.filter(({ kind }) => kind !== 'removed').map(({ name }) => name));
    return tools.filter(({ name }) => !withheld.has(name));
  }
}

function allowed<T extends PinnedTool>({ tools: filter }: ServerEntry, tools: readonly T[]): readonly T[] {
  return tools.filter(({ name }) => isToolAllowed(name, filter));
}
