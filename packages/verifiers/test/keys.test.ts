import { Readable } from 'node:stream';
import type { Reply } from '@mcp/test-kit/http-server';
import { HttpServer } from '@mcp/test-kit/http-server';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { jwtVerifier } from '@mcp/verifiers';
import { admitted, refused, serve, unavailable } from './endpoint.ts';
import { audience, Issuer, makeKey } from './issuer.ts';

// Only the clocks are moved: requests, and the timeout of those that hang, take real time.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const seconds = (count: number) => vi.advanceTimersByTime(count * 1000);

async function start(more: { readonly discover?: true } = {}) {
  const issuer = await Issuer.start();
  const { jwksUri, ...discovered } = issuer.options;
  const verify = jwtVerifier(more.discover ? discovered : { ...discovered, jwksUri });
  const endpoint = await serve(verify);
  return {
    issuer,
    verify,
    endpoint,
    ask: async () => endpoint.ask(await issuer.token()),
    async [Symbol.asyncDispose]() {
      await endpoint[Symbol.asyncDispose]();
      await issuer[Symbol.asyncDispose]();
    },
  };
}

describe('the cache', () => {
  test('many tokens at once, and all of the next 10 minutes, take one request', async () => {
    await using run = await start();
    expect(await Promise.all(Array.from({ length: 20 }, run.ask))).toEqual(Array(20).fill(admitted));
    seconds(599);
    expect(await run.ask()).toEqual(admitted);
    expect(run.issuer.fetches).toBe(1);
    seconds(1);
    expect(await Promise.all(Array.from({ length: 20 }, run.ask))).toEqual(Array(20).fill(admitted));
    await vi.waitFor(() => expect(run.issuer.fetches).toBe(2));
  });

  test('a withdrawn key is not used once the keys were fetched again, after 10 minutes', async () => {
    await using run = await start();
    const old = run.issuer.key;
    expect(await run.ask()).toEqual(admitted);
    await run.issuer.rotate('two');
    const withdrawn = await run.issuer.token({}, {}, old);
    expect(await run.endpoint.ask(withdrawn)).toEqual(admitted);
    seconds(600);
    expect(await run.endpoint.ask(withdrawn)).toEqual(admitted);
    await vi.waitFor(async () => expect(await run.endpoint.ask(withdrawn)).not.toEqual(admitted));
    seconds(10);
    expect(await run.endpoint.ask(withdrawn)).toEqual(refused);
  });

  test('known keys are used at once while the issuer hangs', async () => {
    await using run = await start();
    expect(await run.ask()).toEqual(admitted);
    let reply: (reply: Reply) => void = () => {};
    run.issuer.answer(() => new Promise((resolve) => (reply = resolve)));
    seconds(600);
    // The server never answers before these requests do.
    for (let count = 0; count < 3; count++) expect(await run.ask()).toEqual(admitted);
    await vi.waitFor(() => expect(run.issuer.fetches).toBe(2));
    reply({ json: { keys: [] } });
    await vi.waitFor(async () => expect(await run.ask()).not.toEqual(admitted));
    expect(run.issuer.fetches).toBe(2);
  });

  test('keys are not fetched before a token comes', async () => {
    await using run = await start();
    expect((await run.endpoint.send({})).status).toBe(401);
    expect(run.issuer.http.received).toEqual([]);
  });
});

describe('rotation', () => {
  test('a token of a new key is taken at once', async () => {
    await using run = await start();
    expect(await run.ask()).toEqual(admitted);
    seconds(10);
    await run.issuer.rotate('two');
    expect(await run.ask()).toEqual(admitted);
    expect(run.issuer.fetches).toBe(2);
  });

  test('forged tokens with unknown keys cause a request each 10 seconds', async () => {
    await using run = await start();
    const other = await makeKey('other');
    const forged = async () => run.endpoint.ask(await run.issuer.token({}, {}, other));
    expect(await run.ask()).toEqual(admitted);
    for (let step = 0; step < 20; step++) {
      seconds(1);
      // Only the first token after each 10 seconds has the keys fetched, and is known to be invalid.
      expect(await forged()).toEqual(step % 10 === 9 ? refused : unavailable);
    }
    // At the start, and after 10 and 20 seconds.
    expect(run.issuer.fetches).toBe(3);
    seconds(10);
    await Promise.all(Array.from({ length: 20 }, forged));
    expect(run.issuer.fetches).toBe(4);
  });

  test('a token of a new key is 503 within 10 seconds of the last request, with the rest of them', async () => {
    await using run = await start();
    expect(await run.ask()).toEqual(admitted);
    await run.issuer.rotate('two');
    seconds(3);
    const response = await run.endpoint.send({ authorization: `Bearer ${await run.issuer.token()}` });
    expect([
      response.status,
      response.headers.get('www-authenticate'),
      response.headers.get('retry-after'),
    ]).toEqual([503, null, '7']);
    expect(run.endpoint.warnings).toEqual([expect.stringContaining('have no key for the token')]);
    seconds(7);
    expect(await run.ask()).toEqual(admitted);
  });

  test('a token that came after the request for the keys began is not refused for their answer', async () => {
    await using run = await start();
    let reply: (reply: Reply) => void = () => {};
    run.issuer.answer(() => new Promise((resolve) => (reply = resolve)));
    const first = run.ask();
    await vi.waitFor(() => expect(run.issuer.fetches).toBe(1));
    const { keys } = run.issuer;
    await run.issuer.rotate('two');
    seconds(1);
    // Directly, so that both tokens wait for the same answer before it comes.
    const second = run.verify(await run.issuer.token(), {
      scheme: 'Bearer',
      proof: undefined,
      method: 'POST',
      url: audience,
    });
    reply({ json: { keys } });
    await expect(second).rejects.toMatchObject({ name: 'VerifierUnavailable' });
    expect(await first).toEqual(admitted);
  });

  test('tokens without kid are tried with each key that fits, up to four', async () => {
    await using issuer = await Issuer.start(await makeKey(undefined));
    await using endpoint = await serve(jwtVerifier(issuer.options));
    const others = await Promise.all([1, 2, 3, 4].map(() => makeKey(undefined)));
    const [own] = issuer.keys;
    issuer.keys = [...others.slice(0, 3).map(({ published }) => published), own!];
    expect(await endpoint.ask(await issuer.token())).toEqual(admitted);
    expect(await endpoint.ask(await issuer.token({ aud: 'x' }))).toEqual(refused);
    expect(await endpoint.ask(await issuer.token({}, {}, await makeKey(undefined)))).toEqual(refused);
    issuer.keys = [...others.map(({ published }) => published), own!];
    seconds(600);
    await vi.waitFor(async () => expect(await endpoint.ask(await issuer.token())).toEqual(refused));
  });
});

describe('a key set that is gone', () => {
  test('without any key it is 503 with a time, not a login, and one attempt each 10 seconds', async () => {
    await using run = await start();
    await run.issuer.die();
    expect(await run.ask()).toEqual(unavailable);
    const response = await run.endpoint.send({ authorization: `Bearer ${await run.issuer.token()}` });
    expect([
      response.status,
      response.headers.get('www-authenticate'),
      response.headers.get('retry-after'),
    ]).toEqual([503, null, '10']);
    expect(run.endpoint.warnings[0]).toMatch(
      /^Cannot verify tokens: Cannot reach "http:.*\/keys": connect ECONNREFUSED/,
    );
    await run.issuer.revive();
    expect(await run.ask()).toEqual(unavailable);
    expect(run.issuer.fetches).toBe(0);
    seconds(10);
    expect(await run.ask()).toEqual(admitted);
  });

  test('known keys are used for another hour', async () => {
    await using run = await start();
    expect(await run.ask()).toEqual(admitted);
    await run.issuer.die();
    seconds(600);
    expect(await run.ask()).toEqual(admitted);
    seconds(3_599);
    expect(await run.ask()).toEqual(admitted);
    seconds(1);
    expect(await run.ask()).toEqual(unavailable);
    await run.issuer.revive();
    seconds(10);
    expect(await run.ask()).toEqual(admitted);
  });

  test('a token of an unknown key is 503: the issuer may have the key', async () => {
    await using run = await start();
    expect(await run.ask()).toEqual(admitted);
    await run.issuer.die();
    seconds(10);
    const other = await makeKey('other');
    expect(await run.endpoint.ask(await run.issuer.token({}, {}, other))).toEqual(unavailable);
    expect(await run.ask()).toEqual(admitted);
    await run.issuer.revive();
    seconds(10);
    expect(await run.endpoint.ask(await run.issuer.token({}, {}, other))).toEqual(refused);
  });

  test('a token that is refused without a key needs none', async () => {
    await using run = await start();
    await run.issuer.die();
    expect(await run.endpoint.ask('a.b.c')).toEqual(refused);
    expect(
      await run.endpoint.ask(await run.issuer.token({}, { alg: 'ES256K' }).catch(() => 'a.b.c')),
    ).toEqual(refused);
    expect(run.endpoint.warnings).toEqual([]);
  });
});

describe('a key set that is wrong', () => {
  const bytes = (count: number) =>
    Readable.from(Array.from({ length: count / 65_536 }, () => 'x'.repeat(65_536)));
  const key = { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' };

  test.each<[string, Reply, string]>([
    ['10 MB', { body: bytes(10 * 1024 * 1024) }, 'the body is longer than 262144 bytes'],
    ['10 MB of white space before keys', { body: `${' '.repeat(300_000)}{"keys":[]}` }, 'longer than'],
    ['HTML', { body: '<html>' }, 'answers with HTTP 200 and no JSON Web Key Set'],
    ['404', { status: 404, json: { keys: [] } }, 'answers with HTTP 404 and no'],
    ['500', { status: 500 }, 'answers with HTTP 500'],
    ['keys that are no list', { json: { keys: {} } }, 'no JSON Web Key Set'],
    ['101 keys', { json: { keys: Array(101).fill(key) } }, 'has 101 keys; expected at most 100'],
  ])('%s is 503 with the reason', async (_, reply, reason) => {
    await using run = await start();
    run.issuer.answer(() => reply);
    expect(await run.ask()).toEqual(unavailable);
    expect(run.endpoint.warnings).toEqual([expect.stringContaining(reason)]);
  });

  test('no redirect is followed', async () => {
    await using other = await HttpServer.start();
    await using run = await start();
    other.routes['/keys'] = () => ({ json: { keys: run.issuer.keys } });
    for (const status of [301, 302, 307, 308]) {
      run.issuer.answer(() => ({ status, headers: { location: `${other.origin}/keys` } }));
      expect(await run.ask()).toEqual(unavailable);
      expect(run.endpoint.warnings.at(-1)).toContain('a redirect, which is not followed');
      seconds(10);
    }
    expect(other.received).toEqual([]);
  });

  test('a server that hangs is given up after 5 seconds, for all who wait', async () => {
    await using run = await start();
    run.issuer.answer(() => new Promise(() => {}));
    vi.useRealTimers();
    const begin = Date.now();
    expect(await Promise.all([run.ask(), run.ask(), run.ask()])).toEqual(Array(3).fill(unavailable));
    expect(Date.now() - begin).toBeLessThan(9_000);
    expect(run.issuer.fetches).toBe(1);
    expect(run.endpoint.warnings[0]).toContain('no answer');
    // Until the next attempt, requests do not wait.
    expect(await run.ask()).toEqual(unavailable);
    expect(run.issuer.fetches).toBe(1);
  });

  test('a body that never ends is given up, too', async () => {
    await using run = await start();
    const body = new Readable({ read() {} });
    body.push('{"keys":');
    run.issuer.answer(() => ({ body }));
    expect(await run.ask()).toEqual(unavailable);
    expect(run.endpoint.warnings[0]).toContain('no answer');
  });
});

describe('the metadata of the issuer', () => {
  const oauth = '/.well-known/oauth-authorization-server';
  const openid = '/.well-known/openid-configuration';

  test('names the keys', async () => {
    await using run = await start({ discover: true });
    expect(await run.ask()).toEqual(admitted);
    expect(run.issuer.http.paths).toEqual([oauth, '/keys']);
  });

  test.each<[string, Reply]>([
    ['nothing', { status: 404 }],
    ['an error', { status: 500 }],
    ['a redirect', { status: 302, headers: { location: '/login' } }],
    ['a page', { body: '<html>' }],
  ])('may be that of OpenID Connect, where the first URL has %s', async (_, reply) => {
    await using run = await start({ discover: true });
    const { routes } = run.issuer.http;
    routes[openid] = routes[oauth]!;
    routes[oauth] = () => reply;
    expect(await run.ask()).toEqual(admitted);
    expect(run.issuer.http.paths).toEqual([oauth, openid, '/keys']);
  });

  test('of another issuer is not used', async () => {
    await using run = await start({ discover: true });
    await using other = await Issuer.start(await makeKey('one'));
    const { routes } = run.issuer.http;
    for (const named of [other.issuer, `${run.issuer.issuer}/`, undefined, 7]) {
      routes[oauth] = () => ({ json: { issuer: named, jwks_uri: `${other.issuer}/keys` } });
      expect(await run.ask()).toEqual(unavailable);
      expect(run.endpoint.warnings.at(-1)).toContain('is of the issuer');
      seconds(10);
    }
    expect(other.fetches).toBe(0);
  });

  test.each([
    ['without encryption', 'http://keys.example/keys', 'expected an HTTPS URL'],
    ['of a file', 'file:///etc/passwd', 'expected an HTTPS URL'],
    ['missing', undefined, 'Invalid jwks_uri'],
  ])('with a URL of keys that is %s is not used', async (_, jwksUri, reason) => {
    await using run = await start({ discover: true });
    run.issuer.http.routes[oauth] = () => ({ json: { issuer: run.issuer.issuer, jwks_uri: jwksUri } });
    expect(await run.ask()).toEqual(unavailable);
    expect(run.endpoint.warnings).toEqual([expect.stringContaining(reason)]);
  });

  test('of an issuer with encryption cannot name keys of this machine', async () => {
    await using run = await start();
    const requested: string[] = [];
    const issuer = 'https://login.example/tenant/';
    const verify = jwtVerifier({
      issuer,
      audience,
      async fetch({ url }) {
        requested.push(url);
        return Response.json({ issuer, jwks_uri: `${run.issuer.issuer}/keys` });
      },
    });
    await using endpoint = await serve(verify);
    expect(await endpoint.ask(await run.issuer.token())).toEqual(unavailable);
    expect(requested).toEqual([`https://login.example${oauth}/tenant`]);
    expect(endpoint.warnings).toEqual([expect.stringContaining('expected an HTTPS URL')]);
  });
});
