import { expect, test } from 'vitest';
import { isLocalAddress, networkOf } from '@mcp/kit';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::7', '2001:db8:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])('%s is local', (address) => {
  expect(isLocalAddress(address)).toBe(true);
});

test.each(['203.0.113.7', '::', '2001:db8::1', '10.127.0.1'])('%s is not local', (address) => {
  expect(isLocalAddress(address)).toBe(false);
});
