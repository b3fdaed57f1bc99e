import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openPage } from './browser.ts';
import { callback, OAuthClient, register } from './oauth-client.ts';
import { startNotes } from './protected-notes.ts';

test('every client becomes a public one, also one that asks for a secret', async () => {
  await using notes = await startNotes();
  const metadata = {
    redirect_uris: [callback],
    token_endpoint_auth_method: 'client_secret_post',
    scope: 'a',
  };
  expect(await register(notes.origin, metadata)).toEqual({
    status: 201,
    client_id: expect.stringMatching(/^[\w-]{22}$/),
    client_id_issued_at: expect.closeTo(Date.now() / 1_000, -2),
    client_name: 'A client without a name',
    redirect_uris: [callback],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  });
});

test.each([
  'http://client.example/callback',
  'https://client.example/callback#fragment',
  'https://user:password@client.example/',
  'https://@client.example/',
  'https://client.example\\@evil.example/',
  'https://client.example/a b',
  'https://client.example/\u0000',
  'https://client.example/\u00fc',
  'javascript:alert(1)',
  'javascript://client.example/%0aalert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'urn:ietf:wg:oauth:2.0:oob',
  '/callback',
  '',
  7,
  `https://client.example/${'x'.repeat(3_000)}`,
])('the redirect URI %j cannot be registered', async (uri) => {
  await using notes = await startNotes();
  expect(await register(notes.origin, { redirect_uris: [uri] })).toMatchObject({
    status: 400,
    error: 'invalid_redirect_uri',
  });
});

test.each([
  'https://client.example/callback?tenant=1',
  'http://localhost:3000/callback',
  'http://[::1]:3000/callback',
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'com.example.app://callback',
])('the redirect URI %s can be registered', async (uri) => {
  await using notes = await startNotes();
  const { status, client_id: id } = await register(notes.origin, { redirect_uris: [uri] });
  expect(status).toBe(201);
  const client = new OAuthClient(notes.origin, String(id), uri);
  expect((await openPage(client.page())).response.status).toBe(200);
});

test.each([
  [{}, 'invalid_redirect_uri'],
  [{ redirect_uris: [] }, 'invalid_redirect_uri'],
  [{ redirect_uris: Array(11).fill(callback) }, 'invalid_redirect_uri'],
  [{ redirect_uris: callback }, 'invalid_redirect_uri'],
  [{ redirect_uris: [callback, 5] }, 'invalid_redirect_uri'],
  [{ redirect_uris: Array(3).fill(`${callback}/${'x'.repeat(1_500)}`) }, 'invalid_redirect_uri'],
  [{ redirect_uris: [callback], grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
  [{ redirect_uris: [callback], response_types: ['token'] }, 'invalid_client_metadata'],
  [[], 'invalid_client_metadata'],
  ['text', 'invalid_client_metadata'],
])('%j cannot be registered', async (metadata, error) => {
  await using notes = await startNotes();
  expect(await register(notes.origin, metadata)).toMatchObject({ status: 400, error });
});

test('a flood of registrations is refused, and does not end those that the user approved', async () => {
  await using notes = await startNotes();
  const client = await OAuthClient.register(notes.origin);
  const { access_token: token } = await client.tokens();
  const replies = await Promise.all(
    Array.from({ length: 150 }, () => register(notes.origin, { redirect_uris: [callback] })),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(99);
  const refused = replies.find(({ status }) => status === 429);
  expect(refused).toMatchObject({ error: 'temporarily_unavailable' });
  expect(await client.use(token)).toBe(200);
  const { clients } = JSON.parse(readFileSync(notes.file, 'utf8')) as { clients: { id: string }[] };
  expect(clients).toHaveLength(100);
});

test('a registration of very many levels is refused as others are', async () => {
  await using notes = await startNotes();
  const response = await fetch(new URL('/register', notes.origin), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"redirect_uris":${'['.repeat(8_000)}${']'.repeat(8_000)}}`,
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: 'invalid_redirect_uri' });
});
