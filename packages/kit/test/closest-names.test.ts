import { expect, test } from 'vitest';
import { closestNames } from '../src/index.ts';

test.each([
  ['a letter too many', 'filess', ['files', 'git'], ['files']],
  ['exchanged letters', 'gti', ['get', 'git', 'files'], ['git']],
  ['another case', 'README', ['readme'], ['readme']],
  ['a part of a name, before similar ones', 'file', ['fill', 'read_file'], ['read_file', 'fill']],
  ['nothing alike', 'weather', ['git', 'files'], []],
  ['no names', 'git', [], []],
])('%s: "%s"', (_, name, names, closest) => {
  expect(closestNames(name, names)).toEqual(closest);
});

test('up to three names are returned, or as many as are wanted, each once', () => {
  const names = ['aaa1', 'aaa2', 'aaa2', 'aaa3', 'aaa4'];
  expect(closestNames('aaa0', names)).toEqual(['aaa1', 'aaa2', 'aaa3']);
  expect(closestNames('aaa0', names, 1)).toEqual(['aaa1']);
});

test('long names are compared by their beginnings', () => {
  const long = 'x'.repeat(100_000);
  expect(closestNames(`${long}a`, [`${long}b`])).toEqual([`${long}b`]);
});
