import type { ListItems } from '../../servers/lists.ts';
import type { ServerLink } from '../links/server-link.ts';
import { isViewUri, viewUriOf } from '../../view-of-tool.ts';
import { isQualified, nameInUri, parseViewUri, qualifiedViewUri } from './view-uris.ts';

/** A server, and the URI of a resource as this server knows it. */
export interface UriRoute {
  readonly link: ServerLink;
  readonly uri: string;
}

/** The scheme of URIs that name their server: `mcp://<server>/<uri>`. */
const qualified = /^mcp:\/\/([^/]*)\/(.*)$/su;

/** A URI that names its server, for a resource whose URI another server has, too. */
export function qualifiedUri(server: string, uri: string): string {
  if (isViewUri(uri)) return qualifiedViewUri(server, uri);
  return `mcp://${nameInUri(server)}/${uri}`;
}

/**
 * Finds the server of a URI. The gateway does not change URIs, because they also occur in results, in prompts
 * and in the text of models, and because clients expand templates themselves. If several servers list the
 * same URI, the first one keeps it, and the others list it as `mcp://<server>/<uri>`. A resource of any
 * server can also be read by a URI of this form. The URI of a view is an exception: with prefixes it is
 * always `ui://mcp/<server>/…`, because hosts keep it with the result that the view shows, and read it again
 * later, when the servers may be others.
 */
export class UriRoutes {
  readonly resources: readonly ListItems['resources'][];
  readonly templates: readonly ListItems['resourceTemplates'][];
  readonly #links: readonly ServerLink[];
  readonly #prefixed: boolean;
  readonly #exact = new Map<string, ServerLink>();
  readonly #templates = new Map<string, ServerLink>();
  /**
   * The beginnings of URI templates, up to the first variable, each with its server; the longest beginning
   * first.
   */
  readonly #beginnings: (readonly [beginning: string, link: ServerLink])[] = [];

  constructor(links: readonly ServerLink[], prefixed: boolean) {
    this.#links = links;
    this.#prefixed = prefixed;
    this.resources = links.flatMap((link) => {
      const listed = link.lists.resources.map((resource) => {
        const uri = this.#listedUri(this.#exact, link, resource.uri);
        return uri === resource.uri ? resource : { ...resource, uri };
      });
      // A server need not list the views of its tools.
      for (const uri of link.lists.tools.map(viewUriOf)) if (uri !== undefined) this.viewUri(link, uri);
      return listed;
    });
    this.templates = links.flatMap((link) =>
      link.lists.resourceTemplates.map((template) => {
        const uriTemplate = this.#listedUri(this.#templates, link, template.uriTemplate);
        this.#beginnings.push([template.uriTemplate.split('{', 1)[0] ?? '', link]);
        return uriTemplate === template.uriTemplate ? template : { ...template, uriTemplate };
      }),
    );
    this.#beginnings.sort(([a], [b]) => b.length - a.length);
  }

  /**
   * The server for a URI. The first of: the server that the URI names, the server that lists the URI, the
   * server that lists a matching template, the only server that lists URIs of the same scheme. Undefined if
   * there is none.
   */
  find(uri: string): UriRoute | undefined {
    const { server, uri: inner } = parseViewUri(uri) ?? parseUri(uri) ?? {};
    const named = server === undefined ? undefined : this.#named(server);
    if (named && inner !== undefined) return { link: named, uri: inner };
    const link = this.#exact.get(uri) ?? this.#fitting(uri) ?? this.#onlyOfScheme(uri);
    return link && { link, uri };
  }

  /** The URI under which clients know a view of a server. */
  viewUri(link: ServerLink, uri: string): string {
    return this.#listedUri(this.#exact, link, uri);
  }

  /** The server that lists a template, and the template as that server knows it. */
  findTemplate(uriTemplate: string): UriRoute | undefined {
    const link = this.#templates.get(uriTemplate);
    return link ? { link, uri: uriTemplate } : this.find(uriTemplate);
  }

  /** The URI under which the gateway lists a URI of a server. */
  #listedUri(owners: Map<string, ServerLink>, link: ServerLink, uri: string): string {
    const owner = owners.get(uri) ?? link;
    owners.set(uri, owner);
    const isView = isViewUri(uri) && (this.#prefixed || isQualified(uri));
    return owner === link && !isView ? uri : qualifiedUri(link.name, uri);
  }

  #named(encoded: string): ServerLink | undefined {
    return this.#links.find(({ name }) => nameInUri(name) === encoded);
  }

  // Compares only beginnings: matching a whole template of an untrusted server could take forever.
  #fitting(uri: string): ServerLink | undefined {
    return this.#beginnings.find(([start]) => start.includes(':') && uri.startsWith(start))?.[1];
  }

  // A server may also serve URIs that it does not list: if only one server lists URIs of a scheme, it gets
  // all requests for URIs of this scheme.
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

function parseUri(uri: string): { readonly server: string; readonly uri: string } | undefined {
  const [, server, inner = ''] = qualified.exec(uri) ?? [];
  return server === undefined ? undefined : { server, uri: inner };
}
