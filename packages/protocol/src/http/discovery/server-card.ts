import type { Implementation } from '../../define/implementation.ts';
import { versions } from '../../revisions/table.ts';
import { emptyReply, type HttpReply, jsonReply } from '../wire/http-message.ts';

/**
 * What a client may know of a server before it connects (SEP-2127, an experimental extension). The version,
 * the title, the icons and the website are those of the server.
 */
export interface ServerCard {
  /** `{vendor prefix}/{name}`, such as `com.example/notes`; the prefix is a domain name reversed. */
  readonly name: string;
  /** The URL of the endpoint for clients, such as `https://mcp.example.com/mcp`. */
  readonly url: string;
  /** At most 100 characters. Default: the description of the server. */
  readonly description?: string;
}

const mediaType = 'application/mcp-server-card+json';
const schema = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json';
const catalogPath = '/.well-known/ai-catalog.json';
const maxDescriptionLength = 100;

/** Anybody may read a card, and pages of every origin too: it has nothing but public facts. */
const headers = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET',
  'access-control-allow-headers': 'Content-Type',
  'cache-control': 'public, max-age=3600',
};

/**
 * The documents about a server, by path: its card at `<path>/server-card`, and the catalog of the domain,
 * which names the card. Throws an `Error` for a card that is not valid.
 */
export function cardDocuments(
  card: ServerCard,
  server: Implementation,
  path: string,
): ReadonlyMap<string, (method: string) => HttpReply> {
  const { name, description = server.description } = card;
  const [, prefix = '', own = ''] = /^([a-z\d.-]+)\/([\w.-]+)$/i.exec(name) ?? [];
  if (own === '') throw new Error(`Invalid name of a server card: "${name}"; expected com.example/name`);
  if (description === undefined || description === '' || description.length > maxDescriptionLength)
    throw new Error(
      `Invalid description of a server card: ${description?.length ?? 0} characters; expected 1 to ${maxDescriptionLength}`,
    );
  const url = endpointUrl(card.url);
  const { version, title, websiteUrl, icons } = server;
  const document = {
    $schema: schema,
    name,
    version,
    description,
    ...(title !== undefined && { title }),
    ...(websiteUrl !== undefined && { websiteUrl }),
    ...(icons && { icons }),
    remotes: [{ type: 'streamable-http', url, supportedProtocolVersions: versions }],
  };
  const entry = {
    identifier: `urn:air:${prefix.split('.').toReversed().join('.')}:${own}`,
    displayName: title ?? own,
    type: mediaType,
    url: `${withoutSlash(url)}/server-card`,
  };
  return new Map([
    [`${withoutSlash(path)}/server-card`, readable(mediaType, document)],
    [catalogPath, readable('application/ai-catalog+json', { specVersion: '1.0', entries: [entry] })],
  ]);
}

function readable(type: string, document: object): (method: string) => HttpReply {
  const text = JSON.stringify(document);
  return (method) => {
    if (method === 'GET') return jsonReply(200, text, { ...headers, 'content-type': type });
    if (method === 'OPTIONS') return emptyReply(204, headers);
    return emptyReply(405, { ...headers, allow: 'GET, OPTIONS' });
  };
}

/** The URL, whose path may differ from the endpoint's behind a proxy. */
function endpointUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const shown = parsed ? `${parsed.protocol}//${parsed.host}${parsed.pathname}` : url;
  const isWeb = parsed && ['https:', 'http:'].includes(parsed.protocol);
  if (!isWeb || parsed.username !== '' || parsed.search !== '' || parsed.hash !== '')
    throw new Error(
      `Invalid URL of a server card: "${shown}"; expected http: or https:, without credentials, query and fragment`,
    );
  return parsed.pathname === '/' ? withoutSlash(parsed.href) : parsed.href;
}

function withoutSlash(text: string): string {
  return text.replace(/\/$/, '');
}
