import { expect, test } from 'vitest';
import { publicName, serversOfName } from './public-names.ts';

test('1,000 servers with a tool of one name get 1,000 names, which every vendor takes', () => {
  const servers = Array.from(
    { length: 1_000 },
    (_, index) => `${'a very long name of a server '.repeat(2)}${index}`,
  );
  const names = servers.map((server) => publicName(server, 'search', true));
  expect(new Set(names).size).toBe(1_000);
  expect(names.every((name) => /^[A-Za-z_][\w-]{0,63}$/.test(name))).toBe(true);
  expect(servers.map((server) => publicName(server, 'search', true))).toEqual(names);
});

test.each([
  ['files', 'read', 'files__read'],
  ['my-server', 'a_b', 'my-server__a_b'],
  ['файлы', 'read', /^_{5,}read_[0-9a-f]{8}$/],
  ['files', 'read.text', /^files__read_text_[0-9a-f]{8}$/],
  ['9', 'x', /^_9__x_[0-9a-f]{8}$/],
])('the tool %s.%s has the name %s, by which its server is found', (server, tool, expected) => {
  const name = publicName(server, tool, true);
  if (typeof expected === 'string') expect(name).toBe(expected);
  else expect(name).toMatch(expected);
  expect(serversOfName(name, ['other', server])).toEqual([server]);
});

test('names that differ only where the prefix ends are kept apart', () => {
  expect(publicName('a', '_b__c', true)).not.toBe(publicName('a_', 'b__c', true));
  expect(publicName('a__b', 'c', true)).not.toBe(publicName('a', 'b__c', true));
});
