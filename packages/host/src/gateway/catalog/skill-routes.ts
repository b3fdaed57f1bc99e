import { isObject } from '@mcp/kit';
import { errorCodes, extensionSettings, RpcError } from '@mcp/protocol';
import type { JsonObject } from '@mcp/protocol/proxy';
import { invalid } from '../gateway-error.ts';
import type { ClientIdentity } from '../links/client-identity.ts';
import type { ServerLink } from '../links/server-link.ts';
import { listPage } from './list-page.ts';
import { qualifiedUri, type UriRoute } from './uri-routes.ts';

export const skillsExtension = 'io.modelcontextprotocol/skills';

/** The maximum number of pages that are read from a server. */
const maxPages = 100;

/** The maximum number of skills in a page of the gateway: an entry may have 512 files. */
const pageSize = 100;

const skillFile = '/SKILL.md';

interface PublicSkill {
  readonly link: ServerLink;
  /** The URI as the server knows it. */
  readonly own: string;
  /** The entry under its public URIs. */
  readonly entry: JsonObject;
  readonly uri: string;
}

/**
 * The skills of the servers of one client. As with resources, URIs stay as they are: of two skills with one
 * URI, the one of the first server keeps it, and the other has `mcp://<server>/<uri>`, its files too.
 */
export class SkillRoutes {
  readonly #identity: ClientIdentity;
  readonly #warn: (message: string) => void;
  /** The server of each skill that was listed or got, by the URI of its directory. */
  readonly #roots = new Map<string, ServerLink>();

  constructor(identity: ClientIdentity, warn: (message: string) => void) {
    this.#identity = identity;
    this.#warn = warn;
  }

  /** One page with the skills of all servers. A server that does not answer is left out, with a warning. */
  async list(
    links: readonly ServerLink[],
    cursor: unknown,
    signal: AbortSignal | undefined,
  ): Promise<JsonObject> {
    const having = links.filter(hasSkills);
    if (having.length === 0) throw new RpcError(errorCodes.methodNotFound, 'No server has skills');
    const results = await Promise.all(having.map((link) => this.#read(link, signal)));
    const seen = new Set<string>();
    const skills = results.flatMap(({ link, entries }) =>
      entries.map((entry) => this.#publish(link, entry, seen)),
    );
    const page = listPage('skills', skills, ({ uri }) => uri, cursor, pageSize);
    return {
      ...page,
      skills: (page['skills'] as readonly PublicSkill[]).map(({ entry }) => entry),
      ttlMs: Math.min(...results.map(({ ttlMs }) => ttlMs), maxTtlMs),
      cacheScope: results.every(({ isPublic }) => isPublic) ? 'public' : 'private',
    };
  }

  /**
   * The server of a URI in a skill, and the URI as this server knows it: the server that has listed the
   * skill, or else the first one that has it. Undefined if no server has it.
   */
  async find(
    links: readonly ServerLink[],
    uri: string,
    signal: AbortSignal | undefined,
  ): Promise<UriRoute | undefined> {
    const having = links.filter(hasSkills);
    const known = this.#knownRoot(having, uri);
    if (known) return { link: known, uri };
    const [only] = having;
    if (only && having.length === 1) return { link: only, uri };
    // A skill that is not listed is found by asking each server for it.
    for (const skill of skillsAround(uri)) {
      for (const link of having) {
        if (!(await this.#has(link, skill, signal))) continue;
        this.#roots.set(skill.slice(0, -skillFile.length), link);
        return { link, uri };
      }
    }
    return undefined;
  }

  /** The URIs of a result as the client knows them: it asked for `asked`, the server knows `own`. */
  renamed(result: JsonObject, own: string, asked: string): JsonObject {
    if (own === asked) return result;
    const prefix = asked.slice(0, asked.length - own.length);
    const rename = (item: unknown): unknown => {
      if (!isObject(item)) return item;
      const { uri, resources } = item;
      return {
        ...item,
        ...(typeof uri === 'string' && { uri: prefix + uri }),
        ...(Array.isArray(resources) && { resources: resources.map(rename) }),
      };
    };
    const { skill, resources } = result;
    return {
      ...result,
      ...(skill !== undefined && { skill: rename(skill) }),
      ...(Array.isArray(resources) && { resources: resources.map(rename) }),
    };
  }

  #knownRoot(links: readonly ServerLink[], uri: string): ServerLink | undefined {
    for (let root = uri; root.includes('/'); root = root.slice(0, root.lastIndexOf('/'))) {
      const link = this.#roots.get(root);
      if (link && links.includes(link)) return link;
    }
    return undefined;
  }

  async #has(link: ServerLink, skill: string, signal: AbortSignal | undefined): Promise<boolean> {
    try {
      await this.#send(link, 'skills/get', { uri: skill }, signal);
      return true;
    } catch {
      // The error of an unknown skill, or of a server that cannot answer: in both cases another one is asked.
      return false;
    }
  }

  /** The entries of all pages of a server. */
  async #read(link: ServerLink, signal: AbortSignal | undefined) {
    const entries: JsonObject[] = [];
    let isPublic = true;
    let ttlMs = maxTtlMs;
    try {
      let cursor: unknown;
      for (let count = 1; ; count++) {
        const page = await this.#send(link, 'skills/list', cursor === undefined ? {} : { cursor }, signal);
        if (!Array.isArray(page['skills'])) throw invalid('its answer to skills/list has no "skills"');
        entries.push(...page['skills'].filter(isEntry));
        isPublic &&= page['cacheScope'] === 'public';
        ttlMs = Math.min(ttlMs, typeof page['ttlMs'] === 'number' ? page['ttlMs'] : 0);
        cursor = page['nextCursor'];
        if (cursor === undefined) break;
        if (count === maxPages) throw invalid(`it has more than ${maxPages} pages of skills`);
      }
    } catch (error) {
      this.#warn(`${link.name}: its skills are left out: ${error instanceof Error ? error.message : ''}`);
      return { link, entries: [], isPublic: false, ttlMs: 0 };
    }
    return { link, entries, isPublic, ttlMs };
  }

  #publish(link: ServerLink, entry: JsonObject & { readonly uri?: unknown }, seen: Set<string>): PublicSkill {
    const own = String(entry.uri);
    const uri = seen.has(own) ? qualifiedUri(link.name, own) : own;
    seen.add(uri);
    if (uri === own && own.endsWith(skillFile)) this.#roots.set(own.slice(0, -skillFile.length), link);
    return { link, own, uri, entry: this.renamed({ skill: entry }, own, uri)['skill'] as JsonObject };
  }

  async #send(
    link: ServerLink,
    method: string,
    params: JsonObject,
    signal: AbortSignal | undefined,
  ): Promise<JsonObject> {
    const { client } = await link.open();
    return client.forward(method, params, {
      identity: this.#identity.at(undefined),
      ...(signal && { signal }),
    });
  }
}

/** The longest time for which the gateway lets clients keep a list, in milliseconds. */
const maxTtlMs = 60 * 60_000;

function hasSkills({ connection }: ServerLink): boolean {
  return (
    connection !== undefined &&
    extensionSettings(connection.client.capabilities, { id: skillsExtension }) !== undefined
  );
}

function isEntry(entry: unknown): entry is JsonObject {
  return isObject(entry) && typeof entry['uri'] === 'string';
}

/** The URIs of the skills that may have a file at `uri`, the innermost first. */
function skillsAround(uri: string): readonly string[] {
  const start = uri.indexOf('://') + 3;
  const found: string[] = [];
  for (let root = uri; root.length > start; root = root.slice(0, Math.max(start, root.lastIndexOf('/'))))
    if (found.length < maxDepth) found.push(root + skillFile);
  return found;
}

/** The maximum number of directories in a URI that may be skills. */
const maxDepth = 16;
