import type { ListItems } from '../servers/lists.ts';
import { publicName } from './public-names.ts';
import type { ServerLink } from './server-link.ts';
import { UriRoutes } from './uri-routes.ts';

/** A tool or a prompt of a server, under its public name. */
export interface Named<K extends 'tools' | 'prompts'> {
  readonly link: ServerLink;
  /** As the server lists it. */
  readonly item: ListItems[K];
}

/** What all servers of one client list, by public names. */
export class Catalog {
  readonly tools: ReadonlyMap<string, Named<'tools'>>;
  readonly prompts: ReadonlyMap<string, Named<'prompts'>>;
  readonly uris: UriRoutes;

  constructor(links: readonly ServerLink[], prefixed: boolean) {
    this.tools = byName('tools', links, prefixed);
    this.prompts = byName('prompts', links, prefixed);
    this.uris = new UriRoutes(links);
  }
}

/** Of two items of one name, which only a server itself can list, the first counts. */
function byName<K extends 'tools' | 'prompts'>(
  kind: K,
  links: readonly ServerLink[],
  prefixed: boolean,
): Map<string, Named<K>> {
  const named = new Map<string, Named<K>>();
  for (const link of links) {
    for (const item of link.lists[kind] as readonly ListItems[K][]) {
      const name = publicName(link.name, item.name, prefixed);
      if (!named.has(name)) named.set(name, { link, item });
    }
  }
  return named;
}
