import { expect, test } from 'vitest';
import { isNarrower, reachOf } from '@mcp/kit/node';

test.each([
  ['example.com', 'public'],
  ['203.0.113.7', 'public'],
  ['[2606:4700::1]', 'public'],
  ['localhost', 'loopback'],
  ['api.localhost.', 'loopback'],
  ['127.9.9.9', 'loopback'],
  ['[::1]', 'loopback'],
  ['10.0.0.1', 'private'],
  ['169.254.169.254', 'private'],
  ['0.0.0.0', 'private'],
  ['[fd00::1]', 'private'],
])('%s is %s', (host, reach) => {
  expect(reachOf(host)).toBe(reach);
});

test('a private address has a narrower reach than a public one, and a wider one than the loopback', () => {
  expect(isNarrower('private', 'public')).toBe(true);
  expect(isNarrower('private', 'loopback')).toBe(false);
  expect(isNarrower('public', 'public')).toBe(false);
});
