import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import type { Caller } from '@mcp/protocol';
import type { Verify } from '@mcp/protocol/http';
import { jwtVerifier, type JwtVerifierOptions, type TokenCaller } from '@mcp/verifiers';
import { admitted, refused, serve } from './endpoint.ts';
import { audience, Issuer, makeKey } from './issuer.ts';

let issuer: Issuer;
beforeAll(async () => (issuer = await Issuer.start()));
afterAll(() => issuer[Symbol.asyncDispose]());

/** Asks an endpoint once with a token; the reasons are those of refusals. */
async function ask(token: string, options: Partial<JwtVerifierOptions> = {}) {
  const reasons: string[] = [];
  const onRefused = (reason: string) => reasons.push(reason);
  await using endpoint = await serve(jwtVerifier({ ...issuer.options, onRefused, ...options }));
  return { answer: await endpoint.ask(token), reasons };
}

const now = () => Math.floor(Date.now() / 1000);

test('a client with a valid token is known by its subject, scopes and claims', async () => {
  await using endpoint = await serve(jwtVerifier(issuer.options));
  const caller = await endpoint.whoami(await issuer.token({ scope: 'notes:read notes:write', team: 'blue' }));
  expect(caller).toMatchObject({
    principal: 'ada',
    scopes: ['notes:read', 'notes:write'],
    claims: { iss: issuer.issuer, aud: audience, team: 'blue' },
  });
});

test.each([
  ['scp as text', { scope: undefined, scp: 'a b' }],
  ['scp as a list', { scope: undefined, scp: ['a', 'b', 7] }],
  ['scope as a list', { scope: ['a', '', 'b'] }],
])('scopes are read from %s', async (_, claims) => {
  await using endpoint = await serve(jwtVerifier(issuer.options));
  expect((await endpoint.whoami(await issuer.token(claims))).scopes).toEqual(['a', 'b']);
});

test('a scope that a tool requires and the token lacks is 403 with that scope', async () => {
  await using endpoint = await serve(jwtVerifier(issuer.options));
  const authorization = `Bearer ${await issuer.token()}`;
  const response = await fetch(endpoint.url, {
    method: 'POST',
    headers: {
      authorization,
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'write',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'write' } }),
  });
  expect([response.status, response.headers.get('www-authenticate')]).toEqual([
    403,
    expect.stringContaining('error="insufficient_scope", scope="notes:write notes:read"'),
  ]);
});

test('the caller has the type that the option "caller" returns, and undefined refuses the token', async () => {
  interface User extends Caller {
    readonly team: string;
  }
  const teams: { readonly [principal: string]: string } = { ada: 'blue' };
  const verify = jwtVerifier({
    ...issuer.options,
    async caller({ principal, scopes }) {
      const team = teams[principal];
      return team === undefined ? undefined : { principal, scopes, team };
    },
  });
  expectTypeOf(verify).toExtend<Verify<User>>();
  expectTypeOf(jwtVerifier(issuer.options)).toEqualTypeOf<Verify<TokenCaller>>();
  await using endpoint = await serve(verify);
  expect(await endpoint.whoami(await issuer.token())).toEqual({
    principal: 'ada',
    scopes: ['notes:read'],
    team: 'blue',
  });
  expect(await endpoint.ask(await issuer.token({ sub: 'eve' }))).toEqual(refused);
});

describe('claims', () => {
  test.each([
    [
      'the audience of another',
      { aud: 'https://other.example' },
      '"aud" claim value: "https://other.example"',
    ],
    ['no audience', { aud: undefined }, 'missing required "aud"'],
    ['an audience that is longer than ours', { aud: `${audience}/more` }, '"aud"'],
    ['another issuer', { iss: 'https://evil.example' }, '"iss" claim value: "https://evil.example"'],
    ['no issuer', { iss: undefined }, 'missing required "iss"'],
    ['no expiry', { exp: undefined }, 'missing required "exp"'],
    ['an expiry as text', { exp: '9999999999' }, '"exp" claim must be a number'],
    ['no subject', { sub: undefined }, 'missing required "sub"'],
    ['an empty subject', { sub: '' }, 'no owner in "sub"'],
    ['a subject of white space', { sub: ' \t\u2003' }, 'no owner in "sub"'],
    ['a subject that is no text', { sub: 7 }, 'no owner in "sub"'],
  ])('%s is refused, with the reason', async (_, claims, reason) => {
    const { answer, reasons } = await ask(await issuer.token(claims));
    expect(answer).toEqual(refused);
    expect(reasons).toEqual([expect.stringContaining(reason)]);
  });

  test('one of several audiences is enough, on both sides', async () => {
    const own: [string, string] = ['https://old.example', audience];
    expect((await ask(await issuer.token({ aud: ['x', audience] }), { audience: own })).answer).toEqual(
      admitted,
    );
  });

  test('times may differ by the clock tolerance', async () => {
    const at = (exp: number, nbf: number) => issuer.token({ exp: now() + exp, nbf: now() + nbf });
    expect((await ask(await at(-10, 10))).answer).toEqual(admitted);
    expect((await ask(await at(-10, 0), { clockTolerance: 5 })).answer).toEqual(refused);
    expect((await ask(await at(60, 10), { clockTolerance: 5 })).answer).toEqual(refused);
    expect((await ask(await at(-40, 0))).answer).toEqual(refused);
    expect((await ask(await at(60, 40))).answer).toEqual(refused);
  });
});

describe('types of tokens', () => {
  test.each([['at+jwt'], ['application/at+jwt'], ['AT+JWT'], ['JWT'], [undefined]])(
    '%s is taken',
    async (typ) => {
      expect((await ask(await issuer.token({}, { typ }))).answer).toEqual(admitted);
    },
  );

  test.each([['dpop+jwt'], ['logout+jwt'], ['secevent+jwt']])('%s is refused', async (typ) => {
    expect((await ask(await issuer.token({}, { typ }))).answer).toEqual(refused);
  });

  test('with `typ`, only at+jwt is taken', async () => {
    const strict = { typ: 'at+jwt' } as const;
    expect((await ask(await issuer.token(), strict)).answer).toEqual(admitted);
    expect((await ask(await issuer.token({}, { typ: 'JWT' }), strict)).answer).toEqual(refused);
    expect((await ask(await issuer.token({}, { typ: undefined }), strict)).answer).toEqual(refused);
  });
});

test.each(['RS256', 'PS256', 'ES384', 'EdDSA', 'Ed25519'])('signatures of %s are verified', async (alg) => {
  await using other = await Issuer.start(await makeKey('k', alg));
  const token = await other.token();
  expect((await ask(token, other.options)).answer).toEqual(admitted);
  expect((await ask(token, { ...other.options, algorithms: ['ES256'] })).answer).toEqual(refused);
});

describe('options that are not valid', () => {
  const rest = { audience };
  test.each<[string, JwtVerifierOptions, string]>([
    [
      'an algorithm with a secret',
      { ...rest, issuer: 'https://a.example', algorithms: ['HS256'] },
      'Invalid algorithms: "HS256"; expected some of RS256',
    ],
    ['none', { ...rest, issuer: 'https://a.example', algorithms: ['none'] }, '"none"'],
    ['no algorithm', { ...rest, issuer: 'https://a.example', algorithms: [] }, 'Invalid algorithms'],
    ['no issuer', { ...rest, issuer: '' }, 'Invalid issuer'],
    ['an issuer without encryption', { ...rest, issuer: 'http://a.example' }, 'expected an HTTPS URL'],
    ['an issuer that looks like the loopback', { ...rest, issuer: 'http://127.0.0.1.evil.example' }, 'HTTPS'],
    [
      'keys without encryption',
      { ...rest, issuer: 'x', jwksUri: 'http://a.example/keys' },
      'Invalid jwksUri',
    ],
    [
      'keys with credentials',
      { ...rest, issuer: 'x', jwksUri: 'https://a:b@a.example' },
      'without credentials',
    ],
    ['an empty audience', { audience: '', issuer: 'https://a.example' }, 'Invalid audience'],
    [
      'a negative tolerance',
      { ...rest, issuer: 'https://a.example', clockTolerance: -1 },
      'Invalid clockTolerance: -1',
    ],
    [
      'a tolerance as text',
      { ...rest, issuer: 'https://a.example', clockTolerance: '30' as never },
      'Invalid clockTolerance: 30',
    ],
    [
      'no tolerance',
      { ...rest, issuer: 'https://a.example', clockTolerance: null as never },
      'Invalid clockTolerance: null',
    ],
    ['another type', { ...rest, issuer: 'https://a.example', typ: 'JWT' as never }, 'Invalid typ: "JWT"'],
    ['no type', { ...rest, issuer: 'https://a.example', typ: '' as never }, 'Invalid typ: ""'],
    ['another dpop', { ...rest, issuer: 'https://a.example', dpop: true as never }, 'Invalid dpop: "true"'],
    ['no dpop', { ...rest, issuer: 'https://a.example', dpop: '' as never }, 'Invalid dpop: ""'],
    ['no audience', { audience: undefined as never, issuer: 'https://a.example' }, 'Invalid audience'],
    ['a blank audience', { audience: ' ', issuer: 'https://a.example' }, 'Invalid audience'],
    [
      'an audience in a list of lists',
      { audience: [['a']] as never, issuer: 'https://a.example' },
      'audience',
    ],
    ['an issuer with a query', { ...rest, issuer: 'https://a.example/?b' }, 'Invalid issuer'],
    ['an issuer with a fragment', { ...rest, issuer: 'https://a.example#b' }, 'without query and fragment'],
    ['no text as issuer', { ...rest, issuer: 7 as never, jwksUri: 'https://a.example' }, 'Invalid issuer'],
    ['a tolerance of hours', { ...rest, issuer: 'https://a.example', clockTolerance: 3600 }, '0 to 300'],
  ])('%s', (_, options, message) => {
    expect(() => jwtVerifier(options)).toThrow(message);
  });
});
