import type { CallOptions, Client, ListedPrompt, ListedTemplate, ListedTool } from '@mcp/protocol/client';

/** The items of a server's lists. */
export interface ListItems {
  readonly tools: ListedTool;
  readonly resources: Awaited<ReturnType<Client['listResources']>>[number];
  readonly resourceTemplates: ListedTemplate;
  readonly prompts: ListedPrompt;
}

export type ListKind = keyof ListItems;

/** A list, and since when it is known where it comes from the cache. */
export interface Listed<K extends ListKind> {
  readonly items: readonly ListItems[K][];
  /** Milliseconds since 1970; undefined for a list that the server has just given. */
  readonly cachedAt?: number | undefined;
}

/** Reads a list of a server. A server without the capability has an empty one. */
export async function readList<K extends ListKind>(
  client: Client,
  kind: K,
  options: CallOptions,
): Promise<ListItems[K][]> {
  const reader = readers[kind];
  return client.capabilities[reader.capability] === undefined ? [] : reader.read(client, options);
}

const readers: {
  readonly [K in ListKind]: {
    readonly capability: string;
    read(client: Client, options: CallOptions): Promise<ListItems[K][]>;
  };
} = {
  tools: { capability: 'tools', read: (client, options) => client.listTools(options) },
  resources: { capability: 'resources', read: (client, options) => client.listResources(options) },
  resourceTemplates: {
    capability: 'resources',
    read: (client, options) => client.listResourceTemplates(options),
  },
  prompts: { capability: 'prompts', read: (client, options) => client.listPrompts(options) },
};
