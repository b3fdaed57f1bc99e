import type { CallOptions, Client, ListedPrompt, ListedTemplate, ListedTool } from '@mcp/protocol/client';
import type { ServerEntry } from '../config/entry/server-entry.ts';
import { HostError } from '../errors.ts';
import { isTooDeep, maxNesting } from '../is-too-deep.ts';

/** The items of a server's lists. */
export interface ListItems {
  readonly tools: ListedTool;
  readonly resources: Awaited<ReturnType<Client['listResources']>>[number];
  readonly resourceTemplates: ListedTemplate;
  readonly prompts: ListedPrompt;
}

export type ListName = keyof ListItems;

/** A list. If it comes from the cache, also the time when it was read. */
export interface Listed<K extends ListName> {
  readonly items: readonly ListItems[K][];
  /** Milliseconds since 1970; undefined for a list that the server has just sent. */
  readonly cachedAt?: number | undefined;
}

interface List<Item> {
  readonly title: string;
  readonly capability: 'tools' | 'resources' | 'prompts';
  /** All items; they may come from the client's cache. */
  all(client: Client, options: CallOptions): Promise<Item[]>;
  /** The items as the server sends them now, to the client that `options.identity` describes. */
  pages(client: Client, options: CallOptions): AsyncIterable<readonly Item[]>;
}

/** The lists that a server may have. */
export const lists: { readonly [K in ListName]: List<ListItems[K]> } = {
  tools: {
    title: 'tools',
    capability: 'tools',
    all: (client, options) => client.listTools(options),
    pages: (client, options) => client.toolPages(options),
  },
  resources: {
    title: 'resources',
    capability: 'resources',
    all: (client, options) => client.listResources(options),
    pages: (client, options) => client.resourcePages(options),
  },
  resourceTemplates: {
    title: 'resource templates',
    capability: 'resources',
    all: (client, options) => client.listResourceTemplates(options),
    pages: (client, options) => client.resourceTemplatePages(options),
  },
  prompts: {
    title: 'prompts',
    capability: 'prompts',
    all: (client, options) => client.listPrompts(options),
    pages: (client, options) => client.promptPages(options),
  },
};

/**
 * Reads a list as the server sends it to the client that `options.identity` describes, by default to
 * `client`. Empty if the server does not declare the capability. Rejects with a `HostError` for an item that
 * is nested too deep to be stored.
 */
export async function readList<K extends ListName>(
  client: Client,
  { name: server }: ServerEntry,
  kind: K,
  options: CallOptions,
): Promise<ListItems[K][]> {
  const list = lists[kind];
  if (client.capabilities[list.capability] === undefined) return [];
  const items = options.identity ? await allOf(list.pages(client, options)) : await list.all(client, options);
  const deep = items.find((item) => isTooDeep(item));
  if (!deep) return items;
  const message = `${server}: the list of ${list.title} has "${deep.name}", nested deeper than ${maxNesting} levels`;
  throw new HostError(message, { server, phase: 'call' });
}

async function allOf<Item>(pages: AsyncIterable<readonly Item[]>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pages) for (const item of page) items.push(item);
  return items;
}
