import { generateKeyPairSync, sign } from 'node:crypto';
import type { JWK } from 'jose';
import { expect, test } from 'vitest';
import { jwtVerifier } from '@mcp/verifiers';
import { admitted, refused, serve } from './endpoint.ts';
import { Issuer, makeKey } from './issuer.ts';

test('the broken key of one token does not stop the others', async () => {
  await using issuer = await Issuer.start();
  await using endpoint = await serve(jwtVerifier(issuer.options));
  const broken = await makeKey('broken');
  issuer.keys = [issuer.key.published, { ...broken.published, x: 'AA' }];
  expect(await endpoint.ask(await issuer.token({}, {}, broken))).toEqual(refused);
  expect(endpoint.warnings).toEqual([]);
  expect(await endpoint.ask(await issuer.token())).toEqual(admitted);
});

test.each([null, 7, 'a', [[]], {}, { kty: 7 }])('the entry %j does not stop the others', async (entry) => {
  await using issuer = await Issuer.start();
  await using endpoint = await serve(jwtVerifier(issuer.options));
  issuer.keys = [entry as never, ...issuer.keys];
  expect(await endpoint.ask(await issuer.token())).toEqual(admitted);
});

test.each(['weak', undefined])('the weak key with the kid %s does not stop the others', async (kid) => {
  await using issuer = await Issuer.start(await makeKey(kid && 'strong', 'RS256'));
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const weak = { ...publicKey.export({ format: 'jwk' }), ...(kid !== undefined && { kid }), alg: 'RS256' };
  // More of them than keys are tried.
  issuer.keys = [...Array<JWK>(5).fill(weak as JWK), issuer.key.published];
  await using endpoint = await serve(jwtVerifier(issuer.options));
  expect(await endpoint.ask(await issuer.token())).toEqual(admitted);
  issuer.keys = [weak as JWK];
  const [, payload] = (await issuer.token()).split('.');
  const header = Buffer.from(JSON.stringify({ alg: 'RS256', kid })).toString('base64url');
  const signature = sign('sha256', Buffer.from(`${header}.${payload}`), privateKey).toString('base64url');
  const token = `${header}.${payload}.${signature}`;
  expect(await endpoint.ask(token)).toEqual(refused);
  await using only = await serve(jwtVerifier(issuer.options));
  expect(await only.ask(token)).toEqual(refused);
  expect([...endpoint.warnings, ...only.warnings]).toEqual([]);
});

test('a private key in the set is not used', async () => {
  await using issuer = await Issuer.start();
  await using endpoint = await serve(jwtVerifier(issuer.options));
  issuer.keys = [{ ...issuer.key.published, d: 'AA' }];
  expect(await endpoint.ask(await issuer.token())).toEqual(refused);
});
