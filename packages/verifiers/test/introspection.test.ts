import { type Received, HttpServer, type Reply } from '@mcp/test-kit/http-server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { introspectionVerifier, type IntrospectionVerifierOptions } from '@mcp/verifiers';
import { admitted, refused, serve, unavailable } from './endpoint.ts';
import { audience } from './issuer.ts';

const patient = { timeout: 15_000 };

afterEach(() => void vi.useRealTimers());

const now = () => Math.floor(Date.now() / 1000);
const active = () => ({ active: true, sub: 'ada', aud: audience, scope: 'notes:read', exp: now() + 600 });
type Answer = (request: Received) => Reply | Promise<Reply>;

/** An authorization server that answers, and an endpoint that asks it. */
async function start(answer: Answer, options: Partial<IntrospectionVerifierOptions> = {}) {
  const http = await HttpServer.start({ '/introspect': answer });
  const reasons: string[] = [];
  const verify = introspectionVerifier({
    endpoint: `${http.origin}/introspect`,
    clientId: 'notes: ü',
    clientSecret: 'a+b&c=%',
    audience,
    onRefused: (reason) => reasons.push(reason),
    ...options,
  });
  const endpoint = await serve(verify);
  return {
    http,
    endpoint,
    reasons,
    get asked() {
      return http.received.length;
    },
    async [Symbol.asyncDispose]() {
      await endpoint[Symbol.asyncDispose]();
      await http[Symbol.asyncDispose]();
    },
  };
}

test('a token that the server calls active is admitted; the server knows who asks', async () => {
  await using run = await start(() => ({ json: { ...active(), client_id: 'c' } }));
  expect(await run.endpoint.whoami('opaque/token+1=')).toMatchObject({
    principal: 'ada',
    scopes: ['notes:read'],
    claims: { client_id: 'c' },
  });
  const [{ method, headers, body }] = run.http.received as [Received];
  expect(method).toBe('POST');
  const [, credentials = ''] = /^Basic (.*)$/.exec(headers.authorization ?? '') ?? [];
  expect(atob(credentials)).toBe('notes%3A+%C3%BC:a%2Bb%26c%3D%25');
  expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
    token: 'opaque/token+1=',
    token_type_hint: 'access_token',
  });
});

describe('answers', () => {
  test.each<[string, object, string]>([
    ['not active', { active: false }, 'The token is not active'],
    [
      'for another',
      { aud: 'https://other.example' },
      '"aud" of the token is "https://other.example"; expected "https://mcp',
    ],
    ['for others', { aud: ['a', 'b'] }, '"aud"'],
    ['for nobody', { aud: undefined }, '"aud" of the token is missing'],
    ['expired', { exp: 1 }, '"exp" of the token is "1"; expected a time after'],
    ['with an expiry as text', { exp: 'never' }, '"exp"'],
    ['not yet valid', { nbf: now() + 600 }, '"nbf"'],
    ['of nobody', { sub: undefined }, 'no owner'],
    ['of a refresh token', { token_use: 'refresh_token' }, 'is a refresh token'],
    ['of a refresh token (Keycloak)', { typ: 'Offline' }, 'is a refresh token'],
    ['of no access token', { token_type: 'N_A' }, 'has the type "N_A"; expected Bearer, or DPoP with'],
    ['of the type mac', { token_type: 'mac' }, 'type "mac"'],
    ['of a type that is no text', { token_type: ['Bearer'] }, 'type "[\\"Bearer\\"]"'],
    ['of the type DPoP without a key', { token_type: 'DPoP' }, 'type "DPoP"'],
    ['of the type DPoP with a "cnf" of null', { token_type: 'DPoP', cnf: null }, 'type "DPoP"'],
    ['bound to a key', { token_type: 'DPoP', cnf: { jkt: 'abc' } }, 'bound to a key (DPoP)'],
    ['bound to a key, as Bearer', { cnf: { jkt: 'abc' } }, 'bound to a key (DPoP)'],
    ['bound to a certificate', { cnf: { 'x5t#S256': 'abc' } }, 'bound by "x5t#S256"'],
  ])('a token that is %s is refused, with the reason', async (_, more, reason) => {
    await using run = await start(() => ({ json: { ...active(), ...more } }));
    expect(await run.endpoint.ask('t')).toEqual(refused);
    expect(run.reasons).toEqual([expect.stringContaining(reason)]);
  });

  test.each(['Bearer', 'bearer', undefined])('a token of the type %s is admitted', async (type) => {
    await using run = await start(() => ({ json: { ...active(), token_type: type } }));
    expect(await run.endpoint.ask('t')).toEqual(admitted);
  });

  test('the issuer is checked where it is given', async () => {
    let iss: unknown = 'https://login.example';
    const issuer = 'https://login.example';
    await using run = await start(() => ({ json: { ...active(), iss } }), { issuer, cacheSeconds: 0 });
    expect(await run.endpoint.ask('t')).toEqual(admitted);
    for (iss of ['https://evil.example', undefined, [issuer]])
      expect(await run.endpoint.ask('t')).toEqual(refused);
  });

  test.each<[string, Answer, string]>([
    ['a wrong secret', () => ({ status: 401, json: { error: 'invalid_client' } }), 'HTTP 401'],
    ['an error', () => ({ status: 500, json: { active: true } }), 'HTTP 500'],
    ['no JSON', () => ({ body: 'active' }), 'HTTP 200 and no introspection'],
    ['active as text', () => ({ json: { ...active(), active: 'true' } }), 'no introspection'],
    [
      'a redirect',
      () => ({ status: 307, headers: { location: '/introspect' } }),
      'a redirect, which is not followed',
    ],
    ['10 MB', () => ({ body: 'x'.repeat(10_000_000) }), 'longer than 262144 bytes'],
  ])('%s is 503, not a login', async (_, answer, reason) => {
    await using run = await start(answer);
    expect(await run.endpoint.ask('t')).toEqual(unavailable);
    expect(run.endpoint.warnings).toEqual([expect.stringContaining(reason)]);
    expect(run.asked).toBe(1);
  });

  test('a server that is down or hangs is 503, and the next answer counts', async () => {
    let answer: Answer = () => new Promise(() => {});
    await using run = await start((request) => answer(request));
    expect(await run.endpoint.ask('t')).toEqual(unavailable);
    expect(run.endpoint.warnings[0]).toContain('no answer');
    answer = () => ({ json: active() });
    expect(await run.endpoint.ask('t')).toEqual(admitted);
    await run.http[Symbol.asyncDispose]();
    expect(await run.endpoint.ask('t')).toEqual(admitted);
    expect(await run.endpoint.ask('another')).toEqual(unavailable);
  });
});

describe('the cache', () => {
  test('asks once for requests at the same time and in the next 30 seconds', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    let answer: object = active();
    await using run = await start(() => ({ json: answer }));
    const ask = () => run.endpoint.ask('t');
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([admitted, admitted, admitted]);
    answer = { active: false };
    vi.advanceTimersByTime(29_999);
    expect(await ask()).toEqual(admitted);
    expect(run.asked).toBe(1);
    vi.advanceTimersByTime(1);
    expect(await ask()).toEqual(refused);
    answer = active();
    vi.advanceTimersByTime(4_999);
    expect(await ask()).toEqual(refused);
    expect(run.asked).toBe(2);
    vi.advanceTimersByTime(1);
    expect(await ask()).toEqual(admitted);
    expect(run.asked).toBe(3);
  });

  test('of refusals is bounded, and has no effect on the one of valid tokens', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    let asked = 0;
    const verify = introspectionVerifier({
      endpoint: 'https://login.example/introspect',
      clientId: 'notes',
      clientSecret: 'secret',
      audience,
      async fetch(request) {
        asked++;
        return Response.json(
          new URLSearchParams(await request.text()).get('token') === 'ada' ? active() : { active: false },
        );
      },
    });
    const ask = async (token: string) =>
      verify(token, { scheme: 'Bearer', proof: undefined, method: 'POST', url: audience });
    expect(await ask('ada')).toMatchObject({ principal: 'ada' });
    for (let count = 0; count <= 10_000; count++) expect(await ask(`t${count}`)).toBeUndefined();
    const before = asked;
    await ask('ada');
    await ask('t10000');
    expect(asked).toBe(before);
    await ask('t0');
    expect(asked).toBe(before + 1);
  });

  test('100 tokens are asked about at once; more are 503 until an answer comes', async () => {
    const replies: ((reply: Reply) => void)[] = [];
    await using run = await start(() => new Promise<Reply>((resolve) => replies.push(resolve)));
    const waiting = Array.from({ length: 100 }, async (_, index) => run.endpoint.ask(`t${index}`));
    // On a busy machine, a hundred requests take more than the second that `waitFor` waits by default.
    await vi.waitFor(() => expect(run.asked).toBe(100), patient);
    expect(await run.endpoint.ask('more')).toEqual(unavailable);
    expect(run.endpoint.warnings).toEqual([expect.stringContaining('100 tokens')]);
    const same = run.endpoint.ask('t0');
    for (const reply of replies) reply({ json: active() });
    expect(await Promise.all([same, ...waiting])).toEqual(Array(101).fill(admitted));
    expect(run.asked).toBe(100);
    const next = run.endpoint.ask('more');
    await vi.waitFor(() => expect(run.asked).toBe(101), patient);
    replies.at(-1)!({ json: active() });
    expect(await next).toEqual(admitted);
  });

  test('never outlives the token', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const exp = now() + 10;
    await using run = await start(() => ({ json: { ...active(), exp } }), { cacheSeconds: 3600 });
    expect(await run.endpoint.ask('t')).toEqual(admitted);
    vi.advanceTimersByTime(9_000);
    expect([await run.endpoint.ask('t'), run.asked]).toEqual([admitted, 1]);
    vi.advanceTimersByTime(1_000);
    await run.endpoint.ask('t');
    expect(run.asked).toBe(2);
  });

  test('can be turned off, and is apart for each token', async () => {
    await using off = await start(() => ({ json: active() }), { cacheSeconds: 0 });
    await off.endpoint.ask('t');
    await off.endpoint.ask('t');
    expect(off.asked).toBe(2);
    await using on = await start(({ body }) => ({
      json: { ...active(), sub: new URLSearchParams(body).get('token') },
    }));
    expect((await on.endpoint.whoami('ada')).principal).toBe('ada');
    expect((await on.endpoint.whoami('ben')).principal).toBe('ben');
  });
});

test.each<[string, Partial<IntrospectionVerifierOptions>, string]>([
  ['an endpoint without encryption', { endpoint: 'http://login.example/introspect' }, 'Invalid endpoint'],
  ['no secret', { clientSecret: '' }, 'Invalid clientId or clientSecret'],
  ['an empty audience', { audience: [''] }, 'Invalid audience'],
  ['a negative time', { cacheSeconds: -1 }, 'Invalid cacheSeconds: -1'],
  ['no time', { cacheSeconds: Number.NaN }, 'Invalid cacheSeconds: NaN'],
  ['an endless time', { cacheSeconds: Infinity }, 'Invalid cacheSeconds: Infinity'],
  ['a time as text', { cacheSeconds: '30' as never }, 'Invalid cacheSeconds: 30'],
  ['an empty issuer', { issuer: '' }, 'Invalid issuer'],
  ['an issuer with a query', { issuer: 'https://login.example?a' }, 'Invalid issuer'],
])('%s is refused at the start', (_, options, message) => {
  const valid = { endpoint: 'https://login.example/introspect', clientId: 'a', clientSecret: 'b', audience };
  expect(() => introspectionVerifier({ ...valid, ...options })).toThrow(message);
});
