import { expect, test } from 'vitest';
import { login, openPage, submit } from './browser.ts';
import { callback, OAuthClient, register } from './oauth-client.ts';
import { startNotes } from './protected-notes.ts';

test.each([
  [{ client_id: undefined }, 'The parameter &quot;client_id&quot; is missing'],
  [{ client_id: 'unknown' }, 'The client is not registered here'],
  [{ redirect_uri: undefined }, 'The parameter &quot;redirect_uri&quot; is missing'],
  [{ response_type: 'token' }, 'Invalid response_type; expected code'],
  [{ response_type: undefined }, 'The parameter &quot;response_type&quot; is missing'],
  [{ response_mode: 'fragment' }, 'Invalid response_mode; expected query'],
  [{ code_challenge: undefined }, 'The parameter &quot;code_challenge&quot; is missing'],
  [{ code_challenge: 'short' }, 'Invalid code_challenge'],
  [{ code_challenge_method: 'plain' }, 'Invalid code_challenge_method; expected S256'],
  [{ code_challenge_method: undefined }, 'Invalid code_challenge_method; expected S256'],
  [{ resource: 'https://other.example/mcp' }, 'no tokens for another resource'],
  [{ resource: 'not a URL' }, 'no tokens for another resource'],
  [{ state: 'x'.repeat(5_000) }, 'The state has more than 4096 characters'],
])('a request with %j is an error page, and no redirect', async (fields, reason) => {
  await using notes = await startNotes();
  const client = await OAuthClient.register(notes.origin);
  const { response, html } = await openPage(client.page(fields));
  expect(response.status).toBe(400);
  expect(response.headers.get('location')).toBeNull();
  expect(html).toContain(reason);
  expect(html).not.toContain('<form');
});

test.each([
  'https://evil.example/callback',
  'https://client.example/callback/',
  'https://client.example/callback?next=https://evil.example',
  'https://client.example/callback#fragment',
  'https://user@client.example/callback',
  'https://client.example@evil.example/callback',
  'https://client.example.evil.example/callback',
  'https://client.example:8443/callback',
  'http://client.example/callback',
  'HTTPS://CLIENT.EXAMPLE/callback',
  'https://client.example/other/../callback',
  'https://client.example\\@evil.example/callback',
  '//evil.example',
  'javascript:alert(1)',
])('the redirect to %s is refused', async (redirectUri) => {
  await using notes = await startNotes();
  const client = await OAuthClient.register(notes.origin);
  const { response, html } = await openPage(client.page({ redirect_uri: redirectUri }));
  expect(response.status).toBe(400);
  expect(response.headers.get('location')).toBeNull();
  expect(html).toContain('The redirect_uri is not one that the client has registered');
});

test('on the loopback, only the port of the redirect may differ', async () => {
  await using notes = await startNotes();
  const client = await OAuthClient.register(notes.origin, 'http://127.0.0.1:4000/callback');
  const status = async (redirectUri: string) =>
    (await openPage(client.page({ redirect_uri: redirectUri }))).response.status;
  expect(await status('http://127.0.0.1:51234/callback')).toBe(200);
  expect(await status('http://127.0.0.1/callback')).toBe(200);
  expect(await status('http://localhost:4000/callback')).toBe(400);
  expect(await status('http://127.0.0.1:4000/other')).toBe(400);
  expect(await status('http://127.0.0.1:4000/callback?x=1')).toBe(400);
  expect(await status('https://127.0.0.1:4000/callback')).toBe(400);
});

test('a parameter that comes twice with different values is refused', async () => {
  await using notes = await startNotes();
  const client = await OAuthClient.register(notes.origin);
  const twice = client.page();
  twice.searchParams.append('redirect_uri', 'https://evil.example');
  const { response, html } = await openPage(twice);
  expect([response.status, html]).toEqual([400, expect.stringContaining('comes twice')]);
});

test('the answer has the state and the issuer, also when the user denies', async () => {
  await using notes = await startNotes();
  const client = await OAuthClient.register(notes.origin);
  const allowed = await login(client.page());
  expect(allowed.origin + allowed.pathname).toBe(callback);
  expect(Object.fromEntries(allowed.searchParams)).toEqual({
    code: expect.stringMatching(/^mcp-code\./),
    state: 'a state',
    iss: notes.origin,
  });
  const denied = await login(client.page(), { decision: 'deny', password: '' });
  expect(Object.fromEntries(denied.searchParams)).toEqual({
    error: 'access_denied',
    state: 'a state',
    iss: notes.origin,
  });
});

test('a redirect URI keeps its own query', async () => {
  await using notes = await startNotes();
  const client = await OAuthClient.register(notes.origin, `${callback}?tenant=1&x=%20`);
  const { href } = await login(client.page());
  expect(href).toMatch(/^https:\/\/client\.example\/callback\?tenant=1&x=%20&code=mcp-code/);
});

test('the page names client, host, server and scopes; text of the client is no HTML', async () => {
  await using notes = await startNotes();
  const name = '<b onclick="x">Bank</b>\u202egnp.exe';
  const { client_id: id } = await register(notes.origin, { client_name: name, redirect_uris: [callback] });
  const client = new OAuthClient(notes.origin, String(id));
  const { html, fields } = await openPage(client.page({ state: '"><script>' }));
  expect(html).toContain('&lt;b onclick=&quot;x&quot;&gt;Bank&lt;/b&gt;\\u{202e}gnp.exe, as it calls itself');
  expect(html).toContain('<dd>client.example</dd>');
  expect(html).toContain('<dd>notes:read<br>notes:write</dd>');
  expect(html).not.toMatch(/<script|<b /);
  expect(fields.get('state')).toBe('"><script>');
  expect((await openPage(client.page({ scope: 'notes:read' }))).html).toContain('<dd>notes:read</dd>');
});

test('the page cannot be framed, cached or scripted', async () => {
  await using notes = await startNotes();
  const client = await OAuthClient.register(notes.origin);
  const { headers } = (await openPage(client.page())).response;
  const policy = headers.get('content-security-policy')?.split('; ');
  expect(policy).toEqual([
    "default-src 'none'",
    expect.stringMatching(/^style-src 'sha256-[\w+/]+='$/),
    "form-action 'self' https:",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]);
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('referrer-policy')).toBe('same-origin');
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(/^mcp-login=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=3600$/),
  ]);
});

test('behind HTTPS, the cookie is for this host alone', async () => {
  await using notes = await startNotes({}, { origin: 'https://notes.example' });
  const client = await OAuthClient.register(notes.origin);
  const { headers } = (await openPage(client.page())).response;
  expect(headers.getSetCookie()[0]).toMatch(/^__Host-mcp-login=.*; Secure$/);
});

test('a form that another site sends is refused, even with the passphrase', async () => {
  await using notes = await startNotes();
  const client = await OAuthClient.register(notes.origin);
  const page = await openPage(client.page());
  const other = await openPage(client.page());
  const attempts = [
    submit({ ...page, cookie: '' }),
    submit({ ...page, cookie: other.cookie }),
    submit({ ...page, fields: new URLSearchParams([...page.fields].filter(([name]) => name !== 'proof')) }),
    submit(page, { headers: { origin: 'null' } }),
    submit(page, { headers: { 'sec-fetch-site': 'cross-site' } }),
    submit(page, { headers: { 'sec-fetch-site': 'same-site' } }),
    submit(page, { headers: { origin: 'https://evil.example' } }),
  ];
  for (const { response } of await Promise.all(attempts)) {
    expect(response.status).toBe(403);
    expect(response.headers.get('location')).toBeNull();
  }
  expect((await submit(page)).response.status).toBe(303);
});

test('the passphrase is not accepted in a URL', async () => {
  await using notes = await startNotes();
  const client = await OAuthClient.register(notes.origin);
  const page = await openPage(client.page());
  const url = new URL('/authorize', notes.origin);
  url.search = new URLSearchParams([...page.fields, ['password', 'correct horse battery']]).toString();
  const shown = await fetch(url, { redirect: 'manual', headers: { cookie: page.cookie } });
  expect([shown.status, shown.headers.get('location')]).toEqual([200, null]);
  const sent = await fetch(url, {
    method: 'POST',
    body: page.fields,
    redirect: 'manual',
    headers: { cookie: page.cookie },
  });
  expect([sent.status, sent.headers.get('location')]).toEqual([400, null]);
});

test.each([
  ['GET', '/token', 405],
  ['GET', '/register', 405],
  ['GET', '/revoke', 405],
  ['PUT', '/authorize', 405],
])('%s %s answers with %i', async (method, path, status) => {
  await using notes = await startNotes();
  expect((await fetch(notes.origin + path, { method })).status).toBe(status);
});
