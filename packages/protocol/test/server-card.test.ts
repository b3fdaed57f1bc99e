import { afterAll, expect, test } from 'vitest';
import { defineServer } from '@mcp/protocol';
import { type HttpListener, type ListenOptions, type ServerCard, serveHttp } from '@mcp/protocol/http';
import { versions } from '../src/revisions/table.ts';

const server = defineServer({
  name: 'notes',
  version: '1.2.3',
  title: 'Notes',
  description: 'Keeps notes.',
  websiteUrl: 'https://example.com/notes',
});
const card = { name: 'com.example/notes', url: 'https://mcp.example.com/mcp' };

const listeners: HttpListener[] = [];
afterAll(() => Promise.all(listeners.map((each) => each.close())));

async function served(options: ListenOptions): Promise<string> {
  const listener = await serveHttp(server, options);
  listeners.push(listener);
  return listener.url;
}

const json = async (url: string | URL, init?: RequestInit) => {
  const response = await fetch(url, init);
  return { status: response.status, headers: response.headers, body: await response.text() };
};

test('a card and a catalog are there for everybody, without a token and from every page', async () => {
  const url = await served({ card, token: 'secret' });
  const { status, headers, body } = await json(`${url}/server-card`, {
    headers: { origin: 'https://elsewhere.example', accept: 'application/mcp-server-card+json' },
  });
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/mcp-server-card+json');
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(headers.get('cache-control')).toBe('public, max-age=3600');
  expect(JSON.parse(body)).toEqual({
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: 'com.example/notes',
    version: '1.2.3',
    title: 'Notes',
    description: 'Keeps notes.',
    websiteUrl: 'https://example.com/notes',
    remotes: [
      { type: 'streamable-http', url: 'https://mcp.example.com/mcp', supportedProtocolVersions: versions },
    ],
  });
  const catalog = await json(new URL('/.well-known/ai-catalog.json', url));
  expect(catalog.headers.get('content-type')).toBe('application/ai-catalog+json');
  expect(JSON.parse(catalog.body)).toEqual({
    specVersion: '1.0',
    entries: [
      {
        identifier: 'urn:air:example.com:notes',
        displayName: 'Notes',
        type: 'application/mcp-server-card+json',
        url: 'https://mcp.example.com/mcp/server-card',
      },
    ],
  });
  expect((await json(url, { method: 'POST', body: '{}' })).status).toBe(401);
});

test.each(['/', '/mcp/'])('with the path %s, the catalog leads to the card', async (path) => {
  const url = await served({ path, card: { ...card, url: `https://mcp.example.com${path}` } });
  const catalog = JSON.parse((await json(new URL('/.well-known/ai-catalog.json', url))).body) as {
    readonly entries: readonly { readonly url: string }[];
  };
  const { pathname } = new URL(catalog.entries[0]!.url);
  expect(pathname).toBe(path === '/' ? '/server-card' : '/mcp/server-card');
  const { status, body } = await json(new URL(pathname, url));
  expect(status).toBe(200);
  const { remotes } = JSON.parse(body) as { readonly remotes: readonly { readonly url: string }[] };
  expect(new URL(remotes[0]!.url).pathname).toBe(path);
});

test('other methods are refused, and preflights answered', async () => {
  const url = await served({ card });
  expect(await json(`${url}/server-card`, { method: 'POST', body: '{}' })).toMatchObject({ status: 405 });
  expect(await json(`${url}/server-card`, { method: 'OPTIONS' })).toMatchObject({ status: 204 });
});

test('without the option, nothing is published', async () => {
  const url = await served({});
  expect((await json(`${url}/server-card`)).status).toBe(404);
  expect((await json(new URL('/.well-known/ai-catalog.json', url))).status).toBe(404);
});

test.each<[Partial<ServerCard> & { readonly [name: string]: unknown }, string]>([
  [{ name: 'notes' }, 'Invalid name of a server card: "notes"'],
  [{ name: 'com.example/a/b' }, 'Invalid name of a server card'],
  [{ url: 'mcp.example.com' }, 'expected http: or https:, without'],
  [{ url: 'https://user:secret@mcp.example.com/mcp' }, 'expected http: or https:, without'],
  [{ url: 'https://mcp.example.com/mcp?key=secret' }, 'expected http: or https:, without'],
  [{ description: '' }, 'Invalid description of a server card: 0 characters'],
  [{ description: 'x'.repeat(101) }, '101 characters; expected 1 to 100'],
])('%j is refused', async (wrong, message) => {
  await expect(serveHttp(server, { card: { ...card, ...wrong } })).rejects.toThrow(message);
});
