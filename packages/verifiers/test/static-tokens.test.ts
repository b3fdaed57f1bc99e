import { createHash } from 'node:crypto';
import { expect, expectTypeOf, test } from 'vitest';
import type { Verify } from '@mcp/protocol/http';
import { staticTokens } from '@mcp/verifiers';
import { refused, serve } from './endpoint.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test('each token has its owner; a hash takes the place of a token', async () => {
  const verify = staticTokens([
    { token: 'token-of-ada', caller: { principal: 'ada', scopes: ['notes:write'], team: 'blue' } },
    { sha256: sha256('token-of-ben').toUpperCase(), caller: { principal: 'ben', scopes: [], team: 'red' } },
  ]);
  expectTypeOf(verify).toExtend<Verify<{ principal: string; team: string }>>();
  await using endpoint = await serve(verify);
  expect(await endpoint.whoami('token-of-ada')).toEqual({
    principal: 'ada',
    scopes: ['notes:write'],
    team: 'blue',
  });
  expect(await endpoint.whoami('token-of-ben')).toMatchObject({ principal: 'ben' });
  for (const token of ['token-of-ad', 'token-of-adaa', 'TOKEN-OF-ADA', sha256('token-of-ben'), 'undefined'])
    expect(await endpoint.ask(token)).toEqual(refused);
});

test.each([
  ['a variable that is not set', { token: undefined }, 'Missing token of "ada"'],
  ['an empty token', { token: '' }, 'Invalid token of "ada"'],
  ['a token with a space', { token: 'a b' }, 'expected letters, digits'],
  ['a short hash', { sha256: 'abc' }, 'Invalid sha256 of "ada"; expected 64 hexadecimal digits'],
  ['a token and a hash', { token: 'a', sha256: sha256('a') }, 'Invalid token of "ada"'],
])('%s is refused at the start, without showing it', (_, entry, message) => {
  expect(() => staticTokens([{ ...entry, caller: { principal: 'ada' } }])).toThrow(message);
});

test.each(['', ' \n', undefined])('the principal %j is refused at the start', (principal) => {
  expect(() => staticTokens([{ token: 'a', caller: { principal: principal as string } }])).toThrow(
    'Invalid principal of a token',
  );
});

test('two owners of one token are refused at the start', () => {
  const owners = [
    { token: 'same', caller: { principal: 'ada' } },
    { sha256: sha256('same'), caller: { principal: 'ben' } },
  ];
  expect(() => staticTokens(owners)).toThrow('two entries have the same token');
});
