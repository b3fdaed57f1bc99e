import { expect, test } from 'vitest';
import { closestNames, minSimilarity, similarityTo } from '../src/index.ts';

// In the words of the tools that suggest names.
test.each([
  ['a tool', 'forcast', ['current', 'get_forecast', 'forecast', 'alerts'], ['forecast', 'get_forecast']],
  [
    'a tool by a part of its name',
    'read_text',
    ['read_file', 'read_text_file', 'write'],
    ['read_text_file', 'read_file'],
  ],
  ['an option', '--readonly', ['--http', '--read-only'], ['--read-only']],
  ['an argument', 'dryRun', ['limit', 'dry_run', 'path'], ['dry_run']],
  ['two of four letters', 'paht', ['path', 'query', 'depth'], ['path']],
  ['two of three letters', 'gti', ['get', 'git', 'files'], ['git']],
  ['a table', 'custmers', ['orders', 'customers'], ['customers']],
  ['a column', 'ctiy', ['id', 'name', 'city'], ['city']],
  ['a branch by its last part', 'login', ['main', 'feature/login', 'origin/release'], ['feature/login']],
  ['a tag', 'v1.10', ['v1.10.0', 'v2.0.0'], ['v1.10.0']],
  [
    'a number that is short of a digit',
    'topic-99999',
    ['topic-9', 'topic-099999'],
    ['topic-099999', 'topic-9'],
  ],
  [
    'a path without a directory',
    'src/git-status.ts',
    ['src/server.ts', 'src/tools/git-status.ts'],
    ['src/tools/git-status.ts'],
  ],
  ['a name in another case', 'README', ['readme'], ['readme']],
  ['a name with an escape', 'evil.txt', ['e\u001b[2Jvil.txt', 'README.md'], ['e\u001b[2Jvil.txt']],
  ['words in another order', 'status_git', ['git_status', 'git_stash'], ['git_status']],
  ['a place', 'Springfeld', ['Spring', 'Springfield'], ['Springfield', 'Spring']],
  ['a place without its accents', 'San Jose', ['San Juan', 'San José'], ['San José', 'San Juan']],
  ['a place with an accent', 'Zurch', ['Zug', 'Zürich'], ['Zürich']],
  ['nothing alike', 'weather', ['git', 'files'], []],
  ['one letter in common', 'xyz', ['src', 'docs', 'x'], []],
  ['a name of nothing', '', ['git', ''], []],
  ['no names', 'git', [], []],
])('%s: "%s"', (_, name, names, closest) => {
  expect(closestNames(name, names)).toEqual(closest);
});

test('a name that contains another goes before one of half the letters', () => {
  expect(closestNames('file', ['fill', 'read_file'])).toEqual(['read_file', 'fill']);
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

test('similarity is from 0 to 1, and 1 for the same name but for case and accents', () => {
  const similarity = similarityTo('Zürich');
  expect(similarity('zurich')).toBe(1);
  expect(similarity('Zurch')).toBeGreaterThan(minSimilarity);
  expect(similarity('git')).toBeLessThan(minSimilarity);
  expect(similarity('')).toBe(0);
});
