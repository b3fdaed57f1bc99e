import type { ListItems } from '../../servers/lists.ts';
import type { ServerLink } from '../links/server-link.ts';

/** A resource of a server, by the URI that the server knows. */
export interface UriRoute {
  readonly link: ServerLink;
  readonly uri: string;
}

/** The scheme of URIs that name their server: `mcp://<server>/<uri>`. */
const qualified = /^mcp:\/\/([^/]*)\/(.*)$/su;

/** A URI that names its server, for one that another server has too. */
export function qualifiedUri(server: string, uri: string): string {
  return `mcp://${encodeURIComponent(server)}/${uri}`;
}

/**
 * Finds the server of a URI. URIs stay as they are: they also occur in results, in prompts and in the text
 * of models, and clients expand templates themselves. Only where several servers list the same one,
 * the first keeps it, and the others list theirs as `mcp://<server>/<uri>`, which every URI may be read as.
 */
export class UriRoutes {
  readonly resources: readonly ListItems['resources'][];
  readonly templates: readonly ListItems['resourceTemplates'][];
  readonly #links: readonly ServerLink[];
  readonly #exact = new Map<string, ServerLink>();
  readonly #templates = new Map<string, ServerLink>();
  /** The prefixes of the URIs of templates, the longest first. */
  readonly #beginnings: (readonly [beginning: string, link: ServerLink])[] = [];

  constructor(links: readonly ServerLink[]) {
    this.#links = links;
    this.resources = links.flatMap((link) =>
      link.lists.resources.map((resource) => {
        const uri = listedUri(this.#exact, link, resource.uri);
        return uri === resource.uri ? resource : { ...resource, uri };
      }),
    );
    this.templates = links.flatMap((link) =>
      link.lists.resourceTemplates.map((template) => {
        const uriTemplate = listedUri(this.#templates, link, template.uriTemplate);
        this.#beginnings.push([template.uriTemplate.split('{', 1)[0] ?? '', link]);
        return uriTemplate === template.uriTemplate ? template : { ...template, uriTemplate };
      }),
    );
    this.#beginnings.sort(([a], [b]) => b.length - a.length);
  }

  /**
   * The server that lists a URI or a template whose fixed beginning it has; otherwise the only one
   * with URIs of its scheme.
   */
  find(uri: string): UriRoute | undefined {
    const [, server, inner = ''] = qualified.exec(uri) ?? [];
    const named = server === undefined ? undefined : this.#named(server);
    if (named) return { link: named, uri: inner };
    const link = this.#exact.get(uri) ?? this.#fitting(uri) ?? this.#onlyOfScheme(uri);
    return link && { link, uri };
  }

  /** The server of a template. */
  findTemplate(uriTemplate: string): UriRoute | undefined {
    const link = this.#templates.get(uriTemplate);
    return link ? { link, uri: uriTemplate } : this.find(uriTemplate);
  }

  #named(encoded: string): ServerLink | undefined {
    return this.#links.find(({ name }) => encodeURIComponent(name) === encoded);
  }

  // Matching a whole template of an untrusted server could take forever.
  #fitting(uri: string): ServerLink | undefined {
    return this.#beginnings.find(([start]) => start.includes(':') && uri.startsWith(start))?.[1];
  }

  // A server may serve more than it lists.
  #onlyOfScheme(uri: string): ServerLink | undefined {
    const scheme = uri.slice(0, uri.indexOf(':') + 1);
    const having = this.#links.filter(({ lists, connection }) => {
      const uris = [
        ...lists.resources.map((resource) => resource.uri),
        ...lists.resourceTemplates.map((template) => template.uriTemplate),
      ];
      if (connection?.client.capabilities['resources'] === undefined) return false;
      return this.#links.length === 1 || uris.some((each) => each.startsWith(scheme));
    });
    return having.length === 1 ? having[0] : undefined;
  }
}

/** The URI under which a server's own is listed: itself for the first server that has it. */
function listedUri(owners: Map<string, ServerLink>, link: ServerLink, uri: string): string {
  const owner = owners.get(uri) ?? link;
  owners.set(uri, owner);
  return owner === link ? uri : qualifiedUri(link.name, uri);
}
