import type { lookup } from 'node:dns';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { hostname } from 'node:os';
import { Readable } from 'node:stream';
import { HttpServer, type Reply } from '@mcp/test-kit/http-server';
import { expect, onTestFinished, test } from 'vitest';
import { guardedFetch } from '../src/clients/guarded-fetch.ts';
import { openPage } from './browser.ts';
import { callback, OAuthClient } from './oauth-client.ts';
import { startNotes } from './protected-notes.ts';

/** A site on the loopback with one document. */
async function site(
  document: (url: string) => unknown = valid,
): Promise<HttpServer & { readonly id: string }> {
  const http = await HttpServer.start();
  onTestFinished(() => http[Symbol.asyncDispose]());
  const id = `${http.origin}/client.json`;
  http.routes['/client.json'] = () => {
    const json = document(id);
    return isReply(json) ? json : { json };
  };
  return Object.assign(http, { id });
}

function isReply(value: unknown): value is Reply {
  return typeof value === 'object' && value !== null && ('status' in value || 'body' in value);
}

function valid(url: string): object {
  return { client_id: url, client_name: 'Remote', redirect_uris: [callback] };
}

test('a client with a document logs in; the document is fetched once', async () => {
  await using notes = await startNotes();
  const http = await site();
  const client = new OAuthClient(notes.origin, http.id);
  const { html } = await openPage(client.page());
  expect(html).toContain(`Remote, described by ${new URL(http.origin).host}`);
  const { access_token: token } = await client.tokens();
  expect(await client.use(token)).toBe(200);
  expect(http.received).toHaveLength(1);
});

test.each<[string, (url: string) => unknown, string]>([
  [
    'of another client',
    (url) => ({ ...valid(url), client_id: 'https://claude.ai/x' }),
    'must have its own URL as client_id',
  ],
  ['without redirect URIs', (url) => ({ client_id: url }), 'redirect_uris must be a list'],
  [
    'that needs a secret',
    (url) => ({ ...valid(url), token_endpoint_auth_method: 'client_secret_basic' }),
    'authenticates itself',
  ],
  [
    'that redirects',
    () => ({ status: 302, headers: { location: 'http://127.0.0.1:1/' } }),
    'answers with HTTP 302',
  ],
  ['that is missing', () => ({ status: 404 }), 'answers with HTTP 404'],
  ['that is no JSON', () => ({ body: '<html>' }), 'and no JSON object'],
  [
    'that is too long',
    (url) => ({ ...valid(url), more: 'x'.repeat(70_000) }),
    'the body is longer than 65536 bytes',
  ],
  ['that never ends', () => ({ body: Readable.from(endless()) }), 'the body is longer than 65536 bytes'],
])('a document %s is refused', async (_, document, reason) => {
  await using notes = await startNotes();
  const { id } = await site(document);
  const { response, html } = await openPage(new OAuthClient(notes.origin, id).page());
  expect(response.status).toBe(400);
  expect(html).toContain(reason);
  expect(html).not.toContain('<form');
});

function* endless() {
  for (;;) yield ' '.repeat(1_024);
}

test.each([600, 999])(
  'a site that answers with the status %i, which HTTP does not have, is refused',
  async (status) => {
    await using notes = await startNotes();
    const odd = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(`HTTP/1.1 ${status} Odd\r\ncontent-length: 2\r\n\r\n{}`));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void odd.close());
    await once(odd, 'listening');
    const id = `http://127.0.0.1:${(odd.address() as AddressInfo).port}/client.json`;
    const { response, html } = await openPage(new OAuthClient(notes.origin, id).page());
    expect(response.status).toBe(400);
    expect(html).toContain(`answers with HTTP ${status}, which is not a valid status`);
  },
);

test('a site that does not answer is given up after five seconds, and others are served meanwhile', async () => {
  await using notes = await startNotes();
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  onTestFinished(() => silent.close().closeAllConnections());
  await new Promise((resolve) => silent.once('listening', resolve));
  const id = (name: string) => `http://127.0.0.1:${(silent.address() as AddressInfo).port}/${name}`;
  const slow = ['a', 'b', 'c', 'd', 'e'].map((name) =>
    openPage(new OAuthClient(notes.origin, id(name)).page()),
  );
  const client = await OAuthClient.register(notes.origin);
  expect((await openPage(client.page())).response.status).toBe(200);
  const { html } = await openPage(new OAuthClient(notes.origin, id('f')).page());
  expect(html).toContain('Too many documents of clients are being fetched');
  for (const page of await Promise.all(slow)) expect(page.html).toContain('no answer');
});

test('a flood of unknown documents is refused before any is fetched', async () => {
  await using notes = await startNotes();
  const http = await site();
  const pages = await Promise.all(
    Array.from({ length: 80 }, (_, index) =>
      openPage(new OAuthClient(notes.origin, `${http.origin}/${index}`).page()),
    ),
  );
  const refused = pages.filter(({ response }) => response.status === 429);
  expect(refused.length).toBeGreaterThanOrEqual(15);
  expect(http.received.length).toBeLessThanOrEqual(65);
});

test('a flood of documents does not keep out the clients that many people use', async () => {
  const fetch = ({ url, signal }: Request) =>
    new Promise<Response>((_, reject) => {
      if (url.startsWith('https://claude.ai/')) reject(new Error('Programs are refused'));
      else signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  await using notes = await startNotes({ fetch }, { origin: 'https://notes.example' });
  const open = (id: string, redirect?: string) =>
    openPage(new OAuthClient(notes.origin, id, redirect).page());
  const flood = Array.from({ length: 80 }, (_, index) => open(`https://client.example/${index}`));
  const refused = flood.map(async (page) => expect((await page).response.status).toBe(429));
  await Promise.any(refused);
  const { html } = await open(
    'https://claude.ai/oauth/mcp-oauth-client-metadata',
    'https://claude.ai/api/mcp/auth_callback',
  );
  expect(html).toContain('Claude, described by claude.ai');
  await Promise.all(flood);
});

test('names that are not resolved are at most five, also when their requests were given up', async () => {
  const pending: (() => void)[] = [];
  const silent = ((_name: string, _options: object, done: (error: Error) => void) =>
    pending.push(() => done(new Error('Not found')))) as unknown as typeof lookup;
  const ask = guardedFetch('public', silent);
  const given = new AbortController();
  const asked = Array.from({ length: 5 }, (_, index) =>
    ask(new Request(`https://${index}.example/client.json`, { signal: given.signal })),
  );
  given.abort(new Error('Given up'));
  for (const each of asked) await expect(each).rejects.toThrow();
  const one = () => ask(new Request('https://more.example/client.json'));
  await expect(one()).rejects.toThrow('Too many names are being resolved');
  pending[0]?.();
  const next = expect(one()).rejects.toThrow('Not found');
  await expect.poll(() => pending).toHaveLength(6);
  pending[5]?.();
  await next;
});

test.each([
  'https://127.0.0.1/client.json',
  'https://localhost/client.json',
  'https://[::1]/client.json',
  'https://10.0.0.1/client.json',
  'https://169.254.169.254/latest/meta-data',
  'https://[::ffff:10.0.0.1]/client.json',
  'https://0x7f.1/client.json',
  'https://2130706433/client.json',
  'http://client.example/client.json',
  'https://client.example/',
  'https://client.example',
  'https://user@client.example/client.json',
  'https://client.example/client.json#fragment',
  'https://client.example/a/../client.json',
  'https://CLIENT.example/client.json',
  `https://client.example/${'x'.repeat(3_000)}`,
])('for a public server, %s is not fetched', async (id) => {
  const asked: string[] = [];
  const fetch = async ({ url }: Request) => {
    asked.push(url);
    return Response.json({});
  };
  await using notes = await startNotes({ fetch }, { origin: 'https://notes.example' });
  const { response, html } = await openPage(new OAuthClient(notes.origin, id).page());
  expect(response.status).toBe(400);
  expect(html).toContain('is not usable');
  expect(asked).toEqual([]);
});

test('for a public server, no name that leads to this machine is connected to', async () => {
  const http = await site();
  const { port } = new URL(http.origin);
  for (const name of ['localhost', hostname()]) {
    const asked = guardedFetch('public')(new Request(`http://${name}:${port}/client.json`));
    await expect(asked).rejects.toThrow(/has the address .*, which is not public|ENOTFOUND|EAI_AGAIN/);
  }
  expect(http.received).toEqual([]);
  await expect(guardedFetch('public')(new Request(`http://localhost:${port}/`))).rejects.toThrow(
    'which is not public',
  );
  const own = await guardedFetch('loopback')(new Request(`http://localhost:${port}/client.json`));
  expect(own.status).toBe(200);
});
