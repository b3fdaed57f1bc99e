import { expect, test } from 'vitest';
import { defineServer, defineTool } from '@mcp/protocol';
import {
  type Authorization,
  httpHandler,
  InvalidProof,
  type TokenUse,
  type Verify,
  VerifierUnavailable,
} from '../src/http.ts';
import { HttpWire, messageOf } from './http/http-wire.ts';
import { stateless } from './requirements/wire.ts';

const hello = defineTool({ name: 'hello', description: 'Greets.', run: () => 'Hello' });
const write = defineTool({
  name: 'write',
  description: 'Writes.',
  requires: ['notes:write'],
  run: () => 'Written',
});
const server = defineServer({ name: 'example', version: '1.0.0', tools: [hello, write] });
const metadata = {
  resource: 'https://mcp.example/mcp',
  authorizationServers: ['https://login.example'],
} as const;
const at = 'resource_metadata="https://mcp.example/.well-known/oauth-protected-resource/mcp"';

/** Serves with a verifier, and keeps the uses of tokens and the warnings. */
async function serve(check: (token: string) => ReturnType<Verify>, dpop?: Verify['dpop']) {
  const uses: TokenUse[] = [];
  const warnings: string[] = [];
  const verify = (token: string, use: TokenUse) => {
    uses.push(use);
    return check(token);
  };
  const authorization: Authorization = { verify: Object.assign(verify, { dpop }), metadata };
  const options = { authorization, onWarning: (message: string) => warnings.push(message) };
  const wire = await HttpWire.open(server, stateless, options);
  const hello = (headers: { readonly [name: string]: string }) => wire.call('hello', {}, headers);
  return { wire, uses, warnings, hello, [Symbol.asyncDispose]: () => wire[Symbol.asyncDispose]() };
}

const anybody = () => ({ principal: 'ann' });
const challengeOf = ({ status, headers }: Response) => [status, headers.get('www-authenticate')];

test('a verifier that is unavailable is 503 with a time, and no challenge', async () => {
  const problem = 'the keys of "https://login.example" cannot be fetched';
  await using served = await serve(() => {
    throw new VerifierUnavailable(problem, { retryAfterSeconds: 29.2 });
  });
  const response = await served.hello({ authorization: 'Bearer the-token' });
  expect(challengeOf(response)).toEqual([503, null]);
  expect(response.headers.get('retry-after')).toBe('30');
  const text = await response.text();
  expect(text).toContain('Tokens cannot be verified now; try again later');
  expect(text).not.toContain('login.example');
  expect(served.warnings).toEqual([`Cannot verify tokens: ${problem}`]);
});

test('the errors of a verifier with another copy of this package are known by their names', async () => {
  const of = (name: string, more = {}) => Object.assign(new Error('other copy'), { name, ...more });
  const errors = [of('VerifierUnavailable', { retryAfterSeconds: 7 }), of('InvalidProof')];
  await using served = await serve(
    () => {
      throw errors.shift();
    },
    { algorithms: ['ES256'], required: true },
  );
  const unavailable = await served.hello({ authorization: 'DPoP t' });
  expect([unavailable.status, unavailable.headers.get('retry-after')]).toEqual([503, '7']);
  const refused = await served.hello({ authorization: 'DPoP t' });
  expect(refused.headers.get('www-authenticate')).toContain('error="invalid_dpop_proof"');
});

test('a verifier gets the public URL, whatever the request says', async () => {
  await using served = await serve(anybody, { algorithms: ['ES256'], required: false });
  const forwarded = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
  expect((await served.hello({ authorization: 'bearer t', ...forwarded })).status).toBe(200);
  expect((await served.hello({ authorization: 'dpop t', dpop: 'a.b.c' })).status).toBe(200);
  const { resource: url } = metadata;
  expect(served.uses).toEqual([
    { scheme: 'Bearer', proof: undefined, method: 'POST', url },
    { scheme: 'DPoP', proof: 'a.b.c', method: 'POST', url },
  ]);
});

test('at the paths of HTTP+SSE, the URL is that path at the public origin', async () => {
  const urls: (string | undefined)[] = [];
  const verify = (_: string, { url }: TokenUse) => void urls.push(url);
  const sse = { path: '/sse', postPath: '/messages' };
  const { fetch: ask, close } = httpHandler(server, { authorization: { verify, metadata }, sse });
  const headers = { authorization: 'Bearer t' };
  expect((await ask(new Request('http://localhost/sse', { headers }))).status).toBe(401);
  expect(urls).toEqual(['https://mcp.example/sse']);
  await close();
});

test('many requests that cannot be verified cause one warning', async () => {
  await using served = await serve(() => {
    throw new VerifierUnavailable('The keys are away');
  });
  for (let request = 0; request < 20; request++) await served.hello({ authorization: 'Bearer t' });
  expect(served.warnings).toEqual(['Cannot verify tokens: The keys are away']);
});

test('a token of the scheme DPoP reaches no verifier that does not know it', async () => {
  await using served = await serve(anybody);
  const response = await served.hello({ authorization: 'DPoP t', dpop: 'a.b.c' });
  expect(challengeOf(response)).toEqual([401, `Bearer ${at}`]);
  expect(served.uses).toEqual([]);
});

test('challenges and metadata name the schemes and the algorithms of proofs', async () => {
  const algorithms = ['ES256', 'EdDSA'];
  const algs = 'algs="ES256 EdDSA"';
  for (const required of [false, true]) {
    await using served = await serve(() => undefined, { algorithms, required });
    const expected = (parameters: string) =>
      [...(required ? [] : [`Bearer ${parameters}`]), `DPoP ${parameters}, ${algs}`].join(', ');
    expect(challengeOf(await served.hello({}))).toEqual([401, expected(at)]);
    expect(challengeOf(await served.hello({ authorization: 'DPoP t' }))).toEqual([
      401,
      expected(`error="invalid_token", ${at}`),
    ]);
    const path = '/.well-known/oauth-protected-resource/mcp';
    expect(await (await fetch(new URL(path, served.wire.url))).json()).toMatchObject({
      dpop_signing_alg_values_supported: algorithms,
      dpop_bound_access_tokens_required: required,
    });
  }
});

test('a wrong proof has an error of its own, so that the token is not replaced', async () => {
  const dpop = { algorithms: ['ES256'], required: true };
  await using served = await serve(() => {
    throw new InvalidProof('The proof is for another URL');
  }, dpop);
  const response = await served.hello({ authorization: 'DPoP t', dpop: 'a.b.c' });
  expect(challengeOf(response)).toEqual([401, `DPoP error="invalid_dpop_proof", ${at}, algs="ES256"`]);
  expect(served.warnings).toEqual([]);
});

test('a missing scope is told by the scheme that the endpoint takes', async () => {
  await using served = await serve(anybody, { algorithms: ['ES256'], required: true });
  const response = await served.wire.call('write', {}, { authorization: 'DPoP t', dpop: 'a.b.c' });
  expect(challengeOf(response)).toEqual([
    403,
    `DPoP error="insufficient_scope", scope="notes:write", ${at}, algs="ES256"`,
  ]);
  expect(await messageOf(response)).toHaveProperty('error');
});

test('scopes that no header can have are left out of a challenge', async () => {
  const scopes = ['ключ', 'a"b', 'c\r\nset-cookie: d', 'notes read', '', 'notes:read'];
  await using served = await serve(() => ({ principal: 'ann', scopes }));
  const response = await served.wire.call('write', {}, { authorization: 'Bearer t' });
  expect(challengeOf(response)).toEqual([
    403,
    `Bearer error="insufficient_scope", scope="notes:write notes:read", ${at}`,
  ]);
});

test.each([
  ['a caller without a principal', {}],
  ['an empty principal', { principal: '' }],
  ['a principal that is no text', { principal: 7 }],
  ['a member of the prototype of objects', Object.prototype],
  ['a function', Object],
  ['true', true],
])('%s admits nobody, and the operator is told', async (_, returned) => {
  await using served = await serve(() => returned as unknown as ReturnType<Verify>);
  for (let count = 0; count < 3; count++) {
    const response = await served.hello({ authorization: 'Bearer __proto__' });
    expect(challengeOf(response)).toEqual([401, `Bearer error="invalid_token", ${at}`]);
  }
  expect(served.warnings).toEqual([
    'A token was refused: `verify` returned a caller without a `principal`; expected one with a text, or undefined',
  ]);
});

test.each([undefined, null, false])('a verifier that returns %s refuses the token', async (returned) => {
  await using served = await serve(() => returned as undefined);
  const response = await served.hello({ authorization: 'Bearer t' });
  expect(challengeOf(response)).toEqual([401, `Bearer error="invalid_token", ${at}`]);
  expect(served.warnings).toEqual([]);
});

test('an endpoint without a URL cannot have proofs checked', () => {
  const verify = Object.assign(anybody, { dpop: { algorithms: ['ES256'], required: true } });
  expect(() => httpHandler(server, { authorization: { verify } })).toThrow(
    '`authorization` has no `metadata`',
  );
});
