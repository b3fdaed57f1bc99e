import { readFileSync, statSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { OAuthClient, request } from './oauth-client.ts';
import { startNotes } from './protected-notes.ts';

const minute = 60_000;

/** Sets the clock that expiry depends on. */
function later(ms: number): void {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(now + ms);
}

afterEach(() => void vi.useRealTimers());

test('without a token, 401 names the metadata; with too few scopes, 403 names the scopes', async () => {
  await using notes = await startNotes({}, { requiredScopes: ['notes:write'] });
  const metadata = `resource_metadata="${notes.origin}/.well-known/oauth-protected-resource/mcp"`;
  const refused = await request(notes.origin, {});
  expect(refused.status).toBe(401);
  expect(refused.headers.get('www-authenticate')).toBe(`Bearer scope="notes:write", ${metadata}`);
  const client = await OAuthClient.register(notes.origin);
  const { access_token: token, scope } = await client.tokens({ scope: 'notes:read' });
  expect(scope).toBe('notes:read');
  const lacking = await request(notes.origin, { authorization: `Bearer ${token}` });
  expect(lacking.status).toBe(403);
  expect(lacking.headers.get('www-authenticate')).toBe(
    `Bearer error="insufficient_scope", scope="notes:write notes:read", ${metadata}`,
  );
});

test('a token response is not cached, and its token is accepted', async () => {
  await using notes = await startNotes();
  const client = await OAuthClient.register(notes.origin);
  const code = await client.code();
  const response = await fetch(`${notes.origin}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      client_id: client.id,
      redirect_uri: client.redirectUri,
      code_verifier: client.verifier,
      resource: `${notes.origin}/mcp/`,
    }),
  });
  expect(response.headers.get('cache-control')).toBe('no-store');
  const tokens = (await response.json()) as { access_token: string };
  expect(tokens).toEqual({
    access_token: expect.stringMatching(/^mcp-access\./),
    token_type: 'Bearer',
    expires_in: 3600,
    refresh_token: expect.stringMatching(/^mcp-refresh\./),
    scope: 'notes:read notes:write',
  });
  expect(await client.use(tokens.access_token)).toBe(200);
});

test('a token in a URL is not accepted, and no parameter of /token', async () => {
  await using notes = await startNotes();
  const client = await OAuthClient.register(notes.origin);
  const { access_token: token } = await client.tokens();
  expect((await request(notes.origin, {}, `/mcp?access_token=${token}`)).status).toBe(401);
  const code = await client.code();
  const { status, error_description: reason } = await client.post(`/token?code=${code}`, {});
  expect([status, reason]).toEqual([400, 'Send the parameters in the body, none in the URL']);
});

test.each([
  [{ code_verifier: undefined }, 'invalid_request', false],
  [{ code_verifier: 'x'.repeat(43) }, 'invalid_grant', true],
  [{ redirect_uri: 'https://client.example/other' }, 'invalid_grant', true],
  [{ redirect_uri: undefined }, 'invalid_request', false],
  [{ client_id: undefined }, 'invalid_request', false],
  [{ resource: 'https://other.example' }, 'invalid_target', false],
  [{ grant_type: 'password' }, 'unsupported_grant_type', false],
  [{ grant_type: undefined }, 'invalid_request', false],
  [{ code: 'mcp-code.unknown' }, 'invalid_grant', false],
])('a code with %j is refused as %s', async (fields, error, isSpent) => {
  await using notes = await startNotes();
  const client = await OAuthClient.register(notes.origin);
  const code = await client.code();
  expect(await client.redeem(code, fields)).toMatchObject({ status: 400, error });
  expect((await client.redeem(code)).status).toBe(isSpent ? 400 : 200);
});

test('the code of one client is refused for another', async () => {
  await using notes = await startNotes();
  const [client, thief] = [
    await OAuthClient.register(notes.origin),
    await OAuthClient.register(notes.origin),
  ];
  const code = await client.code();
  expect(await thief.redeem(code, { code_verifier: client.verifier })).toMatchObject({
    error: 'invalid_grant',
    error_description: 'The code belongs to another client_id',
  });
});

test('a code that is used again ends the access that came from it', async () => {
  await using notes = await startNotes();
  const client = await OAuthClient.register(notes.origin);
  const code = await client.code();
  const { access_token: token } = await client.redeem(code);
  expect(await client.use(token)).toBe(200);
  expect(await client.redeem(code)).toMatchObject({ error: 'invalid_grant' });
  expect(await client.use(token)).toBe(401);
  expect(notes.events.at(-1)).toBe('The code has been used before: the access of "Web" was revoked');
});

test('of several redemptions of a code at once, one succeeds at most', async () => {
  await using notes = await startNotes();
  const client = await OAuthClient.register(notes.origin);
  const code = await client.code();
  const replies = await Promise.all(Array.from({ length: 8 }, () => client.redeem(code)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('a refresh token rotates; one that was used before ends the access', async () => {
  await using notes = await startNotes();
  const client = await OAuthClient.register(notes.origin);
  const first = await client.tokens();
  const second = await client.refresh(first.refresh_token);
  expect(second.refresh_token).not.toBe(first.refresh_token);
  expect(await client.use(second.access_token)).toBe(200);
  const third = await client.refresh(second.refresh_token);
  // A thief has the first one.
  expect(await client.refresh(first.refresh_token)).toMatchObject({
    status: 400,
    error: 'invalid_grant',
    error_description: 'The refresh token has been used before',
  });
  for (const { access_token: token } of [first, second, third]) expect(await client.use(token)).toBe(401);
  expect((await client.refresh(third.refresh_token)).error).toBe('invalid_grant');
  expect(notes.events.at(-1)).toContain('The refresh token has been used before: the access of "Web"');
});

test('a refresh that is repeated at once gets the same successor; later it ends the access', async () => {
  await using notes = await startNotes();
  const client = await OAuthClient.register(notes.origin);
  const { refresh_token: token } = await client.tokens();
  const replies = await Promise.all([client.refresh(token), client.refresh(token)]);
  const [one, other] = replies.map((reply) => reply.refresh_token);
  expect(one).toBe(other);
  later(11_000);
  expect((await client.refresh(token)).error).toBe('invalid_grant');
  expect((await client.refresh(one)).error).toBe('invalid_grant');
});

test('tokens of one kind are not accepted as those of another', async () => {
  await using notes = await startNotes();
  const client = await OAuthClient.register(notes.origin);
  const code = await client.code();
  const { access_token: access, refresh_token: refresh } = await client.redeem(code);
  expect(await client.use(refresh)).toBe(401);
  expect(await client.use(code)).toBe(401);
  expect((await client.refresh(access)).error).toBe('invalid_grant');
  expect((await client.redeem(String(access))).error).toBe('invalid_grant');
  expect(await client.use(access)).toBe(200);
});

test('the refresh token of one client is refused for another, and the access ends', async () => {
  await using notes = await startNotes();
  const [client, thief] = [
    await OAuthClient.register(notes.origin),
    await OAuthClient.register(notes.origin),
  ];
  const { refresh_token: token, access_token: access } = await client.tokens();
  expect((await thief.refresh(token)).error).toBe('invalid_grant');
  expect(await client.use(access)).toBe(401);
});

test('an unknown client is told so, in order to register again', async () => {
  await using notes = await startNotes();
  const client = new OAuthClient(notes.origin, 'forgotten');
  expect(await client.refresh('mcp-refresh.unknown')).toMatchObject({ status: 401, error: 'invalid_client' });
});

test('codes, access tokens and access expire', async () => {
  await using notes = await startNotes();
  const client = await OAuthClient.register(notes.origin);
  const [code, tokens] = [await client.code(), await client.tokens()];
  later(61_000);
  expect((await client.redeem(code)).error).toBe('invalid_grant');
  expect(await client.use(tokens.access_token)).toBe(200);
  later(60 * minute);
  expect(await client.use(tokens.access_token)).toBe(401);
  const next = await client.refresh(tokens.refresh_token);
  expect(await client.use(next.access_token)).toBe(200);
  later(31 * 24 * 60 * minute);
  expect((await client.refresh(next.refresh_token)).error).toBe('invalid_grant');
});

test('a client revokes its access; another cannot', async () => {
  await using notes = await startNotes();
  const [client, other] = [
    await OAuthClient.register(notes.origin),
    await OAuthClient.register(notes.origin),
  ];
  const { refresh_token: refresh, access_token: access } = await client.tokens();
  expect((await other.post('/revoke', { token: refresh, client_id: other.id })).status).toBe(200);
  expect(await client.use(access)).toBe(200);
  expect((await client.post('/revoke', { token: refresh, client_id: client.id })).status).toBe(200);
  expect(await client.use(access)).toBe(401);
  expect((await client.refresh(refresh)).error).toBe('invalid_grant');
  expect((await client.post('/revoke', { token: 'unknown', client_id: client.id })).status).toBe(200);
  expect((await client.post('/revoke', { client_id: client.id })).error).toBe('invalid_request');
});

test('the file has no token, and only its owner can read it', async () => {
  await using notes = await startNotes();
  const client = await OAuthClient.register(notes.origin);
  const code = await client.code();
  const { access_token: access, refresh_token: refresh } = await client.redeem(code);
  const text = readFileSync(notes.file, 'utf8');
  for (const token of [code, access, refresh]) expect(text).not.toContain(String(token).split('.')[2]);
  expect(text).not.toContain('correct horse');
  expect(statSync(notes.file).mode & 0o777).toBe(0o600);
});

test.each([
  ['/token', 'application/x-www-form-urlencoded'],
  ['/revoke', 'application/x-www-form-urlencoded'],
  ['/register', 'application/json'],
  ['/authorize', 'application/x-www-form-urlencoded'],
])('%s refuses a body that is too long, of another type, or no UTF-8', async (path, type) => {
  await using notes = await startNotes();
  const status = async (contentType: string, body: string | Uint8Array<ArrayBuffer>) =>
    (await fetch(notes.origin + path, { method: 'POST', headers: { 'content-type': contentType }, body }))
      .status;
  expect(await status(type, 'x'.repeat(20_000))).toBe(413);
  expect(await status('text/plain', 'x')).toBe(415);
  expect(await status(type, new Uint8Array([0xff, 0xfe]))).toBe(400);
  expect(await status(type, 'a=1&'.repeat(60))).toBe(400);
});
