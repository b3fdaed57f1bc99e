import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { loopbackRedirect, type LoopbackRedirectOptions } from '@mcp/authorization';

const hasIpv6 = Object.values(networkInterfaces()).some((each) =>
  each?.some(({ address }) => address === '::1'),
);

async function begin(options: Partial<LoopbackRedirectOptions> = {}) {
  const opened: URL[] = [];
  const { redirectUri, redirect } = loopbackRedirect({ open: (url) => opened.push(url), ...options });
  if (typeof redirectUri === 'string') throw new Error('Not a function');
  const ended = new AbortController();
  const uri = await redirectUri(ended.signal);
  const url = new URL('https://login.example/authorize');
  url.searchParams.set('redirect_uri', uri);
  url.searchParams.set('state', 'right');
  const callback = redirect(url, ended.signal);
  callback.catch(() => undefined);
  return { uri, url, opened, callback, end: () => ended.abort(new Error('over')) };
}

test('a redirect with the state of the login is received, and the user gets a page', async () => {
  const { uri, url, opened, callback, end } = await begin();
  expect(uri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  expect(opened).toEqual([url]);
  const response = await fetch(`${uri}?code=c&state=right`);
  expect(response.headers.get('content-security-policy')).toBe("default-src 'none'");
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  expect(await response.text()).not.toContain('right');
  expect(await callback).toBe(`${uri}?code=c&state=right`);
  end();
});

test('the page of a login that was refused says so', async () => {
  for (const [query, refused] of [
    ['error=access_denied', true],
    ['code=c', false],
  ] as const) {
    const { uri, callback, end } = await begin();
    const page = await (await fetch(`${uri}?${query}&state=right`)).text();
    expect(page.includes('The login was refused. ')).toBe(refused);
    expect(await callback).toContain(query);
    end();
  }
});

test('a request that is not the redirect of the login changes nothing', async () => {
  const { uri, callback, end } = await begin();
  const { origin } = new URL(uri);
  for (const [path, method] of [
    ['/callback?code=evil&state=wrong', 'GET'],
    ['/callback?code=evil', 'GET'],
    ['/callback?code=evil&state=right', 'POST'],
    ['/other?code=evil&state=right', 'GET'],
    ['/favicon.ico', 'GET'],
  ] as const) {
    expect((await fetch(`${origin}${path}`, { method })).status).toBe(404);
  }
  await fetch(`${uri}?code=c&state=right`);
  expect(await callback).toContain('code=c');
  end();
});

test.each([
  ['a path without a host', 'GET // HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'],
  ['a Host that is no host', 'GET /callback?code=evil&state=wrong HTTP/1.1\r\nHost: a:b:c\r\n\r\n'],
])('a request with %s is refused, and the login continues', async (_what, request) => {
  const { uri, callback, end } = await begin();
  const socket = connect(Number(new URL(uri).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(request);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 404 /);
  await fetch(`${uri}?code=c&state=right`);
  expect(await callback).toContain('code=c');
  end();
});

test('nothing listens any more when the login has ended', async () => {
  const { uri, callback, end } = await begin();
  end();
  await expect(callback).rejects.toThrow('over');
  await expect(fetch(uri)).rejects.toThrow();
});

test('nothing listens where the login ends before its listener is open', async () => {
  const { redirectUri } = loopbackRedirect({ open: () => undefined });
  if (typeof redirectUri === 'string') throw new Error('Not a function');
  const ended = new AbortController();
  const opening = redirectUri(ended.signal);
  ended.abort(new Error('over'));
  await expect(opening).rejects.toThrow('over');
});

test.for(['127.0.0.1', '[::1]', 'localhost'] as const)(
  'a redirect URI with the host %s',
  async (host, { skip }) => {
    skip(host === '[::1]' && !hasIpv6, 'This machine has no IPv6');
    const { uri, callback, end } = await begin({ host });
    expect(new URL(uri).hostname).toBe(host);
    await fetch(`${uri}?code=c&state=right`);
    expect(await callback).toContain('code=c');
    end();
  },
);

test('a port that is in use is an error', async () => {
  const { uri, end } = await begin();
  await expect(begin({ port: Number(new URL(uri).port) })).rejects.toThrow('EADDRINUSE');
  end();
});

test('several logins at the same time get their own redirects', async () => {
  const { redirectUri, redirect } = loopbackRedirect({ open: () => undefined });
  if (typeof redirectUri === 'string') throw new Error('Not a function');
  const { signal } = new AbortController();
  const logins = await Promise.all(
    ['a', 'b'].map(async (state) => {
      const ended = new AbortController();
      const uri = await redirectUri(AbortSignal.any([signal, ended.signal]));
      const url = new URL(`https://login.example/?redirect_uri=${encodeURIComponent(uri)}&state=${state}`);
      return { uri, state, callback: redirect(url, ended.signal), end: () => ended.abort() };
    }),
  );
  for (const { uri, state } of logins.toReversed()) await fetch(`${uri}?state=${state}`);
  for (const { uri, state, callback, end } of logins) {
    expect(await callback).toBe(`${uri}?state=${state}`);
    end();
  }
});
