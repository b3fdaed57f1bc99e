import type { CallOptions, Client } from '@mcp/protocol/client';
import type { ListItems, ListKind } from '../../servers/lists.ts';

/** The capability behind a list. */
export const capabilityOf = {
  tools: 'tools',
  resources: 'resources',
  resourceTemplates: 'resources',
  prompts: 'prompts',
} as const satisfies Record<ListKind, string>;

const readers: {
  readonly [K in ListKind]: (client: Client, options: CallOptions) => AsyncIterable<readonly ListItems[K][]>;
} = {
  tools: (client, options) => client.toolPages(options),
  resources: (client, options) => client.resourcePages(options),
  resourceTemplates: (client, options) => client.resourceTemplatePages(options),
  prompts: (client, options) => client.promptPages(options),
};

/** All pages of a list, as the server gives them to the client that `options.identity` is. */
export async function readPages<K extends ListKind>(
  client: Client,
  kind: K,
  options: CallOptions,
): Promise<ListItems[K][]> {
  if (client.capabilities[capabilityOf[kind]] === undefined) return [];
  const items: ListItems[K][] = [];
  for await (const page of readers[kind](client, options)) for (const item of page) items.push(item);
  return items;
}

/** Whether the server notifies of changes of a list. */
export function notifiesOf(client: Client, kind: ListKind): boolean {
  const capability = client.capabilities[capabilityOf[kind]];
  return (
    typeof capability === 'object' &&
    capability !== null &&
    'listChanged' in capability &&
    capability.listChanged === true
  );
}
