import type { CallerPolicy } from '../../policy/caller-policy.ts';
import type { ToolPolicy } from '../../policy/tool-policy.ts';
import type { ListItems, ListName } from '../../servers/lists.ts';
import { publicName } from './public-names.ts';
import { viewUriOf } from '../../view-of-tool.ts';
import { mayCall, withViewUri } from './view-uris.ts';
import type { ServerLink } from '../links/server-link.ts';
import { UriRoutes } from './uri-routes.ts';

/** A tool or a prompt of a server, under its public name, by which the clients of the gateway know it. */
export interface Named<K extends 'tools' | 'prompts'> {
  readonly link: ServerLink;
  /** The tool or prompt as the server lists it. */
  readonly item: ListItems[K];
  /** The tool or prompt as clients see it, but for its public name. */
  readonly shown: ListItems[K];
  /** The rules for a tool; undefined if there are none. */
  readonly policy: ToolPolicy | undefined;
}

export interface CatalogOptions {
  readonly prefixed: boolean;
  /** Whether the client shows views. Otherwise tools that are for views alone do not exist. */
  readonly showsViews: boolean;
  /** The rules for the client. */
  readonly policy: CallerPolicy | undefined;
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
    return Array.from(this.tools, ([name, { link, shown }]) => {
      const uri = viewUriOf(shown);
      const tool = uri === undefined ? shown : withViewUri(shown, this.uris.viewUri(link, uri));
      return { ...tool, name };
    });
  }

  /** A tool of a server with the rules for it; undefined if a rule hides it. */
  withPolicy(link: ServerLink, item: ListItems['tools']): Named<'tools'> | undefined {
    return named(link, item, this.policyOf(link, item.name));
  }

  /** The rules for a tool, by the name that its server gives it; undefined if there are none. */
  policyOf(link: ServerLink, tool: string): ToolPolicy | undefined {
    return this.#options.policy?.tool(link.name, tool);
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
  { prefixed, showsViews, policy }: CatalogOptions,
): Map<string, Named<K>> {
  const found = new Map<string, Named<K>>();
  for (const link of links) {
    for (const item of link.lists[kind] as readonly ListItems[K][]) {
      if (!showsViews && !mayCall('model', item)) continue;
      const rules = kind === 'tools' ? policy?.tool(link.name, item.name) : undefined;
      const each = named(link, item, rules);
      const name = publicName(link.name, rules?.name ?? item.name, prefixed);
      if (each && !found.has(name)) found.set(name, each);
    }
  }
  return found;
}

function named<K extends 'tools' | 'prompts'>(
  link: ServerLink,
  item: ListItems[K],
  policy: ToolPolicy | undefined,
): Named<K> | undefined {
  if (policy?.isHidden) return undefined;
  const shown = policy ? (policy.shown(item as ListItems['tools']) as ListItems[K]) : item;
  return { link, item, shown, policy };
}
