import type { ListItems, ListName } from '../../servers/lists.ts';
import { publicName } from './public-names.ts';
import { mayCall, viewUriOf, withViewUri } from './view-uris.ts';
import type { ServerLink } from '../links/server-link.ts';
import { UriRoutes } from './uri-routes.ts';

/** A tool or a prompt of a server, under its public name, by which the clients of the gateway know it. */
export interface Named<K extends 'tools' | 'prompts'> {
  readonly link: ServerLink;
  /** The tool or prompt as the server lists it. */
  readonly item: ListItems[K];
}

export interface CatalogOptions {
  readonly prefixed: boolean;
  /** Whether the client shows views. Otherwise tools that are for views alone do not exist. */
  readonly showsViews: boolean;
}

/** The tools, prompts and resources that the servers of one client list, by their public names. */
export class Catalog {
  readonly #links: readonly ServerLink[];
  readonly #options: CatalogOptions;
  #tools: ReadonlyMap<string, Named<'tools'>> | undefined;
  #prompts: ReadonlyMap<string, Named<'prompts'>> | undefined;
  #uris: UriRoutes | undefined;

  constructor(links: readonly ServerLink[], options: CatalogOptions) {
    this.#links = links;
    this.#options = options;
  }

  get tools(): ReadonlyMap<string, Named<'tools'>> {
    return (this.#tools ??= byName('tools', this.#links, this.#options));
  }

  /** The tools as clients get them: under their public names, with the URIs by which views can be read. */
  get listedTools(): readonly ListItems['tools'][] {
    return Array.from(this.tools, ([name, { link, item }]) => {
      const uri = viewUriOf(item);
      const tool = uri === undefined ? item : withViewUri(item, this.uris.viewUri(link, uri));
      return { ...tool, name };
    });
  }

  get prompts(): ReadonlyMap<string, Named<'prompts'>> {
    return (this.#prompts ??= byName('prompts', this.#links, this.#options));
  }

  get uris(): UriRoutes {
    return (this.#uris ??= new UriRoutes(this.#links, this.#options.prefixed));
  }

  /** Called when a list was read again. The items are collected anew when they are next used. */
  update(kind: ListName): void {
    if (kind === 'tools') this.#tools = undefined;
    if (kind === 'prompts') this.#prompts = undefined;
    // Tools have the URIs of views.
    else this.#uris = undefined;
  }
}

/** The items of all servers by their public names. If a server lists a name twice, its first item is used. */
function byName<K extends 'tools' | 'prompts'>(
  kind: K,
  links: readonly ServerLink[],
  { prefixed, showsViews }: CatalogOptions,
): Map<string, Named<K>> {
  const named = new Map<string, Named<K>>();
  for (const link of links) {
    for (const item of link.lists[kind] as readonly ListItems[K][]) {
      if (!showsViews && !mayCall('model', item)) continue;
      const name = publicName(link.name, item.name, prefixed);
      if (!named.has(name)) named.set(name, { link, item });
    }
  }
  return named;
}
