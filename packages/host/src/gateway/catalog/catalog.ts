import type { ListItems, ListKind } from '../../servers/lists.ts';
import { publicName } from './public-names.ts';
import type { ServerLink } from '../links/server-link.ts';
import { UriRoutes } from './uri-routes.ts';

/** A tool or a prompt of a server, under its public name. */
export interface Named<K extends 'tools' | 'prompts'> {
  readonly link: ServerLink;
  /** As the server lists it. */
  readonly item: ListItems[K];
}

/** What all servers of one client list, by public names. */
export class Catalog {
  readonly #links: readonly ServerLink[];
  readonly #prefixed: boolean;
  #tools: ReadonlyMap<string, Named<'tools'>> | undefined;
  #prompts: ReadonlyMap<string, Named<'prompts'>> | undefined;
  #uris: UriRoutes | undefined;

  constructor(links: readonly ServerLink[], prefixed: boolean) {
    this.#links = links;
    this.#prefixed = prefixed;
  }

  get tools(): ReadonlyMap<string, Named<'tools'>> {
    return (this.#tools ??= byName('tools', this.#links, this.#prefixed));
  }

  get prompts(): ReadonlyMap<string, Named<'prompts'>> {
    return (this.#prompts ??= byName('prompts', this.#links, this.#prefixed));
  }

  get uris(): UriRoutes {
    return (this.#uris ??= new UriRoutes(this.#links));
  }

  /** A server has listed something anew. */
  update(kind: ListKind): void {
    if (kind === 'tools') this.#tools = undefined;
    else if (kind === 'prompts') this.#prompts = undefined;
    else this.#uris = undefined;
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
