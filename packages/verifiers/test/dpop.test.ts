import { createHash, createHmac, randomUUID } from 'node:crypto';
import { HttpServer } from '@mcp/test-kit/http-server';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { introspectionVerifier, jwtVerifier } from '@mcp/verifiers';
import { admitted, type Answer, refused, serve, unavailable } from './endpoint.ts';
import { audience, Issuer, type IssuerKey, makeKey, thumbprintOf } from './issuer.ts';

const invalidProof: Answer = [401, 'invalid_dpop_proof'];
const now = () => Math.floor(Date.now() / 1000);

let issuer: Issuer;
let key: IssuerKey;
let endpoint: Awaited<ReturnType<typeof serve>>;
/** A token that is bound to the key. */
let token: string;
const reasons: string[] = [];

beforeAll(async () => {
  issuer = await Issuer.start();
  key = await makeKey(undefined);
  token = await issuer.token({ cnf: { jkt: await thumbprintOf(key) } });
});
// Each test has an endpoint, with its own table of used proofs.
beforeEach(async () => {
  const onRefused = (reason: string) => reasons.push(reason);
  endpoint = await serve(jwtVerifier({ ...issuer.options, dpop: 'optional', onRefused }));
});
afterEach(async () => {
  vi.useRealTimers();
  await endpoint[Symbol.asyncDispose]();
});
afterAll(() => issuer[Symbol.asyncDispose]());

const hash = (text: string) => createHash('sha256').update(text).digest('base64url');
const claimsFor = (of: string) => ({
  jti: randomUUID(),
  htm: 'POST',
  htu: audience,
  iat: now(),
  ath: hash(of),
});
const publicOf = ({ published: { kid: _kid, use: _use, alg: _alg, ...jwk } }: IssuerKey) => jwk;

/** A valid proof for the token, changed by claims (undefined removes one), header and key. */
async function prove(claims: object = {}, header: object = {}, by = key): Promise<string> {
  return new SignJWT({ ...claimsFor(token), ...claims })
    .setProtectedHeader({ alg: by.alg, typ: 'dpop+jwt', jwk: publicOf(by), ...header })
    .sign(by.privateKey);
}

const ask = async (proof: string | undefined, scheme = 'DPoP', given = token) =>
  endpoint.ask(given, { authorization: `${scheme} ${given}`, ...(proof !== undefined && { dpop: proof }) });

test('a bound token with a proof of its key is admitted, each time with a new proof', async () => {
  expect(await ask(await prove())).toEqual(admitted);
  expect(await ask(await prove())).toEqual(admitted);
  expect(await ask(await prove({ htu: `${audience}?page=2#top` }))).toEqual(admitted);
  expect(await ask(await prove({ htu: 'HTTPS://MCP.example.com:443/mcp' }))).toEqual(admitted);
});

test.each(['RS256', 'PS256', 'ES384', 'EdDSA'])('a key of %s can be proved', async (alg) => {
  const other = await makeKey(undefined, alg);
  const bound = await issuer.token({ cnf: { jkt: await thumbprintOf(other) } });
  expect(await ask(await prove({ ath: hash(bound) }, {}, other), 'DPoP', bound)).toEqual(admitted);
});

describe('the scheme', () => {
  test('a bound token as Bearer is refused, with a proof too', async () => {
    expect(await ask(undefined, 'Bearer')).toEqual(refused);
    expect(await ask(await prove(), 'Bearer')).toEqual(refused);
  });

  test('a token that is not bound is refused as DPoP, and admitted as Bearer', async () => {
    const free = await issuer.token();
    expect(await ask(await prove({ ath: hash(free) }), 'DPoP', free)).toEqual(refused);
    expect(await endpoint.ask(free)).toEqual(admitted);
  });

  test('where bound tokens are required, others are refused, and challenges name DPoP alone', async () => {
    await using strict = await serve(jwtVerifier({ ...issuer.options, dpop: 'required' }));
    const response = await strict.send({ authorization: `Bearer ${await issuer.token()}` });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^DPoP error="invalid_token".* algs="ES256 /),
    ]);
    expect(await strict.ask(token, { authorization: `DPoP ${token}`, dpop: await prove() })).toEqual(
      admitted,
    );
  });

  test('without the option, a bound token is refused', async () => {
    await using plain = await serve(jwtVerifier(issuer.options));
    expect(await plain.ask(token)).toEqual(refused);
    const response = await plain.send({ authorization: `DPoP ${token}`, dpop: await prove() });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^Bearer /),
    ]);
    // An endpoint of another kind may hand over such a token all the same.
    const use = { scheme: 'DPoP', proof: await prove(), method: 'POST', url: audience } as const;
    expect(await jwtVerifier(issuer.options)(token, use)).toBeUndefined();
  });

  test('a token that is not valid is refused as such, whatever its proof', async () => {
    const expired = await issuer.token({ exp: 1, cnf: { jkt: await thumbprintOf(key) } });
    expect(await ask(await prove({ ath: hash(expired) }), 'DPoP', expired)).toEqual(refused);
  });
});

describe('a proof is refused', () => {
  test.each<[string, object, string]>([
    ['for another method', { htm: 'GET' }, 'for the method "GET"; the request has "POST"'],
    ['for a method in lower case', { htm: 'post' }, 'for the method "post"'],
    ['for no method', { htm: undefined }, 'for the method missing'],
    ['for another path', { htu: `${audience}/x` }, 'for the URL "https://mcp.example.com/mcp/x"'],
    ['for another host', { htu: 'https://evil.example/mcp' }, 'for the URL "https://evil.example/mcp"'],
    ['for the address without encryption', { htu: audience.replace('https', 'http') }, 'for the URL'],
    ['for a path', { htu: '/mcp' }, 'for the URL "/mcp"'],
    ['for no URL', { htu: undefined }, 'for the URL missing'],
    ['for another token', { ath: hash('another') }, 'for another token'],
    ['for no token', { ath: undefined }, 'for another token'],
    ['without id', { jti: undefined }, 'has no "jti"'],
    ['with an empty id', { jti: '' }, 'has no "jti"'],
    ['with a number as id', { jti: 7 }, 'has no "jti"'],
    ['without time', { iat: undefined }, 'missing required "iat"'],
    ['that is old', { iat: now() - 120 }, 'too far in the past'],
    ['of the future', { iat: now() + 120 }, 'should be in the past'],
    ['that has expired', { exp: now() - 60 }, '"exp"'],
  ])('%s', async (_, claims, reason) => {
    expect(await ask(await prove(claims))).toEqual(invalidProof);
    expect(reasons.at(-1)).toContain(reason);
  });

  test('where there is none, or several', async () => {
    expect(await ask(undefined)).toEqual(invalidProof);
    expect(await ask(`${await prove()}, ${await prove()}`)).toEqual(invalidProof);
    expect(await ask('a.b.c')).toEqual(invalidProof);
    expect(await ask(await prove({ more: 'x'.repeat(8_000) }))).toEqual(invalidProof);
  });

  test('of another key: with its own, with the right key in the header, with none', async () => {
    const other = await makeKey(undefined);
    expect(await ask(await prove({}, {}, other))).toEqual(invalidProof);
    expect(reasons.at(-1)).toContain('another key');
    expect(await ask(await prove({}, { jwk: publicOf(key) }, other))).toEqual(invalidProof);
    expect(reasons.at(-1)).toContain('signature verification failed');
    for (const jwk of [undefined, {}, { kty: 'oct', k: 'AAAA' }, { kty: 'EC' }, 'text'])
      expect(await ask(await prove({}, { jwk }))).toEqual(invalidProof);
  });

  test('of another type, and without a signature of a public key', async () => {
    for (const typ of ['JWT', 'at+jwt', undefined])
      expect(await ask(await prove({}, { typ }))).toEqual(invalidProof);
    const spki = await exportSPKI((await generateKeyPair('ES256', { extractable: true })).publicKey);
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const alg of ['none', 'HS256', 'ES256']) {
      const input = `${encoded({ alg, typ: 'dpop+jwt', jwk: publicOf(key) })}.${encoded(claimsFor(token))}`;
      expect(await ask(`${input}.`)).toEqual(invalidProof);
      expect(await ask(`${input}.${createHmac('sha256', spki).update(input).digest('base64url')}`)).toEqual(
        invalidProof,
      );
    }
  });

  test('with the private key in it', async () => {
    const jwk = await exportJWK(key.privateKey);
    expect(await ask(await prove({}, { jwk }))).toEqual(invalidProof);
  });

  test('with keys that are fetched elsewhere', async () => {
    await using evil = await HttpServer.start();
    const other = await makeKey(undefined);
    expect(await ask(await prove({}, { jku: `${evil.origin}/keys`, jwk: undefined }, other))).toEqual(
      invalidProof,
    );
    expect(evil.received).toEqual([]);
  });
});

describe('a proof that was used', () => {
  test('is refused, at the same time too, and does not stop others', async () => {
    const proof = await prove();
    const answers = await Promise.all([ask(proof), ask(proof), ask(proof)]);
    expect(answers.toSorted(([a], [b]) => a - b)).toEqual([admitted, invalidProof, invalidProof]);
    expect(await ask(proof)).toEqual(invalidProof);
    expect(reasons.at(-1)).toBe('The proof has been used before');
    expect(await ask(await prove())).toEqual(admitted);
  });

  test('is refused for as long as its time would allow it', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    // From a client whose clock is ahead.
    const proof = await prove({ iat: now() + 29 });
    expect(await ask(proof)).toEqual(admitted);
    for (let second = 0; second <= 120; second += 8) {
      expect(await ask(proof)).toEqual(invalidProof);
      vi.advanceTimersByTime(8_000);
    }
    expect(reasons.at(-1)).toContain('too far in the past');
    expect(reasons.at(-3)).toBe('The proof has been used before');
  });

  test('the id of another client is no replay', async () => {
    const other = await makeKey(undefined);
    const bound = await issuer.token({ cnf: { jkt: await thumbprintOf(other) } });
    expect(await ask(await prove({ jti: 'same' }))).toEqual(admitted);
    expect(await ask(await prove({ jti: 'same', ath: hash(bound) }, {}, other), 'DPoP', bound)).toEqual(
      admitted,
    );
  });

  test('a refused proof is not remembered', async () => {
    expect(await ask(await prove({ jti: 'one', htm: 'GET' }))).toEqual(invalidProof);
    expect(await ask(await prove({ jti: 'one' }))).toEqual(admitted);
  });
});

describe('introspection', () => {
  test('a bound token needs a proof of the key that the server names', async () => {
    const jkt = await thumbprintOf(key);
    const claims = { active: true, sub: 'ada', aud: audience, token_type: 'DPoP', cnf: { jkt } };
    await using http = await HttpServer.start({ '/introspect': () => ({ json: claims }) });
    const verify = introspectionVerifier({
      endpoint: `${http.origin}/introspect`,
      clientId: 'a',
      clientSecret: 'b',
      audience,
      dpop: 'optional',
    });
    await using asking = await serve(verify);
    const send = async (dpop: string) => asking.ask('opaque', { authorization: 'DPoP opaque', dpop });
    const proof = await prove({ ath: hash('opaque') });
    expect(await send(proof)).toEqual(admitted);
    expect(await send(proof)).toEqual(invalidProof);
    expect(await send(await prove())).toEqual(invalidProof);
    expect(await asking.ask('opaque')).toEqual(refused);
    await http[Symbol.asyncDispose]();
    // The answer about the token is kept, and proofs are checked all the same.
    expect(await send(await prove({ ath: hash('opaque') }))).toEqual(admitted);
    expect(await asking.ask('other', { authorization: 'DPoP other', dpop: proof })).toEqual(unavailable);
  });
});
