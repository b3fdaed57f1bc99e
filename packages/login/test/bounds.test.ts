import { afterEach, expect, test, vi } from 'vitest';
import { addClient, findClient, removeForgotten } from '../src/clients/registered-clients.ts';
import { addGrant, findAccess, redeemCode } from '../src/grants/grants.ts';
import { hashOf, newToken } from '../src/grants/tokens.ts';
import { RateLimit } from '../src/limits/rate-limit.ts';
import { TokenBuckets } from '@mcp/kit';
import type { State } from '../src/store/state.ts';

afterEach(() => void vi.useRealTimers());

const empty = (): State => ({
  version: 1,
  url: 'https://notes.example/mcp',
  key: 'key',
  clients: [],
  grants: [],
});
const client = (index: number) => ({ id: `c${index}`, name: 'Web', redirectUris: [], createdAt: index });

test('of more than 500 clients, those without the approval of the user are forgotten first', () => {
  const state = empty();
  addClient(state, { ...client(0), approvedAt: 0 });
  for (let index = 1; index <= 600; index++) addClient(state, client(index));
  expect(state.clients).toHaveLength(500);
  expect(state.clients.map(({ id }) => id)).toEqual(expect.arrayContaining(['c0', 'c600', 'c102']));
  expect(findClient(state, 'c101', 0)).toBeUndefined();
});

test('of more than 500 clients that the user let in, those with access stay', () => {
  const state = empty();
  addClient(state, client(0));
  addGrant(state, { client: client(0), scopes: [], redirectUri: 'u', challenge: hashOf('v') }, 0);
  for (let index = 0; index <= 1; index++) addClient(state, { ...client(index), approvedAt: 700 - index });
  for (let index = 2; index <= 600; index++) addClient(state, { ...client(index), approvedAt: index });
  expect(state.clients).toHaveLength(500);
  expect(findClient(state, 'c0', 0)).toBeDefined();
  // Of the others, the last approval counts, and not the registration.
  expect(findClient(state, 'c1', 0)).toBeDefined();
  expect(findClient(state, 'c101', 0)).toBeUndefined();
});

test('a client is forgotten after a day without approval, and a year after the last one', () => {
  const state = empty();
  const day = 86_400_000;
  addClient(state, client(0));
  addClient(state, { ...client(1), approvedAt: 1 });
  removeForgotten(state, day);
  expect(state.clients.map(({ id }) => id)).toEqual(['c1', 'c0']);
  expect(findClient(state, 'c0', day + 1)).toBeUndefined();
  removeForgotten(state, 366 * day);
  expect(state.clients).toEqual([]);
});

test('of more than 100 grants, the one that was not used for the longest time ends', () => {
  const state = empty();
  const consent = { client: client(0), scopes: [], redirectUri: 'u', challenge: hashOf('v') };
  const redemption = { clientId: 'c0', redirectUri: 'u', verifier: 'v' };
  const tokens = Array.from({ length: 101 }, (_, now) => {
    const issued = redeemCode(state, { code: addGrant(state, consent, now), ...redemption }, now);
    return 'access' in issued ? issued.access : issued.refused;
  });
  expect(state.grants).toHaveLength(100);
  expect(findAccess(state, tokens[0] ?? '', 101)).toBeUndefined();
  expect(findAccess(state, tokens[1] ?? '', 101)).toBeDefined();
  expect(findAccess(state, newToken('access', state.grants[0]?.id ?? ''), 101)).toBeUndefined();
});

test('each network has a limit, and all together; those of a proxy only the latter', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const limit = () =>
    new RateLimit({ all: { burst: 4, refillMs: 1_000 }, network: { burst: 2, refillMs: 10_000 } });
  const one = limit();
  const take = (address: string) => one.take(address);
  expect(['2001:db8::1', '2001:db8::2', '2001:db8::3'].map(take)).toEqual([0, 0, 10]);
  expect(['203.0.113.1', '203.0.113.2', '203.0.113.3'].map(take)).toEqual([0, 0, 1]);
  vi.setSystemTime(Date.now() + 1_000);
  expect(take('203.0.113.3')).toBe(0);
  // What the limit for all refused was not counted for the network.
  vi.setSystemTime(Date.now() + 1_000);
  expect(take('203.0.113.3')).toBe(0);
  const proxied = limit();
  expect(Array.from({ length: 5 }, () => proxied.take('127.0.0.1'))).toEqual([0, 0, 0, 0, 1]);
  proxied.giveBack('127.0.0.1');
  expect(proxied.take('::1')).toBe(0);
});

test('after the clock was set back, an attempt is refused no longer than the limit says', () => {
  const buckets = new TokenBuckets({ burst: 2, refillMs: 1_000 });
  const day = 86_400_000;
  expect([buckets.take('a', day), buckets.take('a', day), buckets.take('a', day)]).toEqual([0, 0, 1_000]);
  expect(buckets.take('a', 0)).toBe(1_000);
  expect(buckets.take('a', 1_000)).toBe(0);
});
