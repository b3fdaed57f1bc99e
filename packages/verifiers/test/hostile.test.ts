import { createHmac } from 'node:crypto';
import { HttpServer } from '@mcp/test-kit/http-server';
import {
  CompactSign,
  type CryptoKey,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  SignJWT,
} from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jwtVerifier } from '@mcp/verifiers';
import { admitted, refused, serve } from './endpoint.ts';
import { audience, Issuer, makeKey } from './issuer.ts';

let issuer: Issuer;
let endpoint: Awaited<ReturnType<typeof serve>>;
const reasons: string[] = [];

/** An endpoint that has no keys yet, so that it looks up any `kid`. */
const start = () =>
  serve(jwtVerifier({ ...issuer.options, onRefused: (reason: string) => reasons.push(reason) }));

beforeAll(async () => {
  issuer = await Issuer.start(await makeKey('one', 'RS256'));
  endpoint = await start();
  expect(await endpoint.ask(await issuer.token())).toEqual(admitted);
});
afterAll(async () => {
  await endpoint[Symbol.asyncDispose]();
  await issuer[Symbol.asyncDispose]();
});

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const claims = () => ({
  iss: issuer.issuer,
  aud: audience,
  sub: 'eve',
  exp: Math.floor(Date.now() / 1000) + 600,
});

/** A token that is signed by a function, where a library would refuse to. */
const forged = (header: object, sign: (input: string) => string) => {
  const input = `${encoded(header)}.${encoded(claims())}`;
  return `${input}.${sign(input)}`;
};

describe('signatures', () => {
  test.each(['none', 'None', 'NONE', 'nOnE'])('a token with the algorithm %s is refused', async (alg) => {
    const unsigned = forged({ alg, typ: 'at+jwt' }, () => '');
    // RFC 6750 allows such a token in the header.
    expect(await endpoint.ask(unsigned)).toEqual(refused);
    const [header = '', payload = '', signature = ''] = (await issuer.token()).split('.');
    expect(header).not.toBe('');
    expect(await endpoint.ask(`${encoded({ alg, kid: 'one' })}.${payload}.${signature}`)).toEqual(refused);
  });

  test('the public key is no secret of HS256: as PEM, as JSON, as its modulus', async () => {
    const publicKey = await importJWK({ ...issuer.key.published }, 'RS256', { extractable: true });
    const { n = '' } = issuer.key.published;
    const secrets = [
      await exportSPKI(publicKey as CryptoKey),
      JSON.stringify(issuer.key.published),
      Buffer.from(n, 'base64url'),
      n,
      '',
    ];
    for (const secret of secrets) {
      for (const kid of ['one', undefined]) {
        const header = { alg: 'HS256', typ: 'at+jwt', ...(kid !== undefined && { kid }) };
        const token = forged(header, (input) =>
          createHmac('sha256', secret).update(input).digest('base64url'),
        );
        expect(await endpoint.ask(token)).toEqual(refused);
      }
    }
  });

  test('a secret in the key set verifies nothing', async () => {
    const k = Buffer.from('a secret that is published by mistake').toString('base64url');
    issuer.keys = [issuer.key.published, { kty: 'oct', kid: 'secret', alg: 'HS256', k }];
    await using other = await serve(jwtVerifier(issuer.options));
    const header = { alg: 'HS256', kid: 'secret' };
    const token = forged(header, (input) =>
      createHmac('sha256', Buffer.from(k, 'base64url')).update(input).digest('base64url'),
    );
    expect(await other.ask(token)).toEqual(refused);
  });

  test('a token of another key with the known kid, a changed payload and a cut signature are refused', async () => {
    const other = await makeKey('one', 'RS256');
    expect(await endpoint.ask(await issuer.token({}, {}, other))).toEqual(refused);
    const [header = '', , signature = ''] = (await issuer.token()).split('.');
    expect(await endpoint.ask(`${header}.${encoded(claims())}.${signature}`)).toEqual(refused);
    expect(await endpoint.ask(`${header}.${encoded(claims())}.`)).toEqual(refused);
    expect(await endpoint.ask(`${header}.${encoded(claims())}`)).toEqual(refused);
  });

  test('a key that the token brings or names is neither used nor fetched', async () => {
    await using evil = await HttpServer.start();
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), kid: 'evil', alg: 'RS256' };
    evil.routes['/keys'] = () => ({ json: { keys: [jwk] } });
    const hints = [
      { jwk },
      { jku: `${evil.origin}/keys` },
      { x5u: `${evil.origin}/keys` },
      { x5c: ['MIIB'] },
      { jku: `${evil.origin}/keys`, jwk, iss: evil.origin },
    ];
    for (const hint of hints) {
      for (const kid of ['evil', 'one', undefined]) {
        const token = await new SignJWT(claims())
          .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', ...(kid !== undefined && { kid }), ...hint })
          .sign(privateKey);
        await using fresh = await start();
        expect(await fresh.ask(token)).toEqual(refused);
      }
    }
    expect(evil.received).toEqual([]);
  });

  test('extensions that are critical and unknown, and payloads that are not encoded, are refused', async () => {
    const { privateKey } = issuer.key;
    const critical = new SignJWT(claims()).setProtectedHeader({
      alg: 'RS256',
      kid: 'one',
      crit: ['b64'],
      b64: true,
    });
    expect(await endpoint.ask(await critical.sign(privateKey))).toEqual(admitted);
    for (const header of [
      { crit: ['x\nlogged in: admin'], x: 1 },
      { crit: ['b64'], b64: false },
    ]) {
      const [, payload = '', signature = ''] = (await issuer.token()).split('.');
      const token = `${encoded({ alg: 'RS256', kid: 'one', ...header })}.${payload}.${signature}`;
      expect(await endpoint.ask(token)).toEqual(refused);
    }
  });
});

test('a token of another issuer is refused, even with a key of this issuer', async () => {
  await using other = await Issuer.start(await makeKey('other', 'RS256'));
  issuer.keys = [issuer.key.published];
  await using mixed = await serve(jwtVerifier(issuer.options));
  // Signed by the other one in this issuer's name, and by this one in the other's name.
  expect(await mixed.ask(await other.token({ iss: issuer.issuer }))).toEqual(refused);
  expect(await mixed.ask(await issuer.token({ iss: other.issuer }))).toEqual(refused);
  expect(await mixed.ask(await issuer.token({ iss: `${issuer.issuer}/` }))).toEqual(refused);
  expect(await mixed.ask(await issuer.token({ iss: [issuer.issuer] }))).toEqual(refused);
});

test.each([
  '../../../../etc/passwd',
  '/dev/null',
  "one' OR '1'='1",
  '__proto__',
  'constructor',
  'http://127.0.0.1:1/keys',
  'x'.repeat(5_000),
])('the kid %j selects no key', async (kid) => {
  const before = issuer.http.paths.length;
  const { privateKey } = await generateKeyPair('RS256');
  const token = await new SignJWT(claims()).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey);
  await using fresh = await start();
  expect(await fresh.ask(token)).toEqual(refused);
  expect(new Set(issuer.http.paths.slice(before))).not.toContain(kid);
});

test.each([
  ['nothing between dots', '..'],
  ['one part', 'abc'],
  ['five parts, as encrypted tokens have', 'a.b.c.d.e'],
  ['a header that is no JSON', 'YWJj.e30.e30'],
  ['a header that is null', `${encoded(null)}.e30.e30`],
  ['a header with numbers', `${encoded({ alg: 1, kid: 2, typ: 3 })}.e30.e30`],
  ['a header with lists', `${encoded({ alg: ['RS256'], kid: ['one'] })}.e30.e30`],
])('a token of %s is refused', async (_, token) => {
  expect(await endpoint.ask(token)).toEqual(refused);
});

test('a token with a claim set that is no object is refused', async () => {
  for (const value of ['text', null, ['a'], 7]) {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    const signed = new CompactSign(bytes).setProtectedHeader({ alg: 'RS256', kid: 'one' });
    expect(await endpoint.ask(await signed.sign(issuer.key.privateKey))).toEqual(refused);
  }
});

test('a long token is refused without reading it', async () => {
  // The listener refuses headers of this length; a framework may not.
  const verify = jwtVerifier({ ...issuer.options, onRefused: (reason) => reasons.push(reason) });
  const token = await issuer.token({ more: 'x'.repeat(100_000) });
  const use = { scheme: 'Bearer', proof: undefined, method: 'POST', url: audience } as const;
  expect(await verify(token, use)).toBeUndefined();
  expect(reasons.at(-1)).toBe('The token is longer than 16384 characters');
  expect((await endpoint.send({ authorization: `Bearer ${token}` })).status).toBe(431);
});

test('a reason is one line, in which text of the client can hide nothing', async () => {
  const name = 'x"\n2026 admitted: root\r\u001b[2J\u202e\u0000';
  const [, payload = '', signature = ''] = (await issuer.token()).split('.');
  const headers = [
    { alg: 'RS256', kid: 'one', crit: [name], [name]: 1 },
    { alg: 'RS256', kid: 'one', crit: ['y.'.repeat(2_500)] },
  ];
  for (const header of headers) {
    expect(await endpoint.ask(`${encoded(header)}.${payload}.${signature}`)).toEqual(refused);
    expect(reasons.at(-1)).toMatch(/^The token is not valid: [ -~]+$/);
    expect(reasons.at(-1)!.length).toBeLessThan(1_000);
  }
  expect(reasons.at(-2)).toContain('x" 2026 admitted: root');
});

test('a token in the URL is not taken', async () => {
  const token = await issuer.token();
  for (const name of ['access_token', 'token', 'authorization']) {
    const response = await endpoint.send({}, `${endpoint.url}?${name}=${token}`);
    expect([response.status, await response.text()]).toEqual([401, expect.not.stringContaining(token)]);
  }
});

test('two tokens in one request are refused', async () => {
  const token = await issuer.token();
  const response = await endpoint.send({ authorization: `Bearer ${token}, Bearer ${token}` });
  expect(response.status).toBe(400);
});

test.each([
  ['a certificate', { 'x5t#S256': 'abc' }],
  ['a key', { jwk: { kty: 'EC' } }],
  ['a thumbprint and a certificate', { jkt: 'abc', 'x5t#S256': 'abc' }],
  ['nothing', {}],
  ['null', null],
  ['text', 'abc'],
  ['a thumbprint that is no text', { jkt: 7 }],
])('a token that is bound by %s is refused', async (_, cnf) => {
  expect(await endpoint.ask(await issuer.token({ cnf }))).toEqual(refused);
  expect(reasons.at(-1)).toContain('bound by');
});

test('no reason has a token in it, and no warning was written', () => {
  expect(reasons.length).toBeGreaterThan(30);
  for (const reason of reasons) expect(reason).not.toMatch(/\n|eyJ|[\w-]{200}/);
  expect(endpoint.warnings).toEqual([]);
});
