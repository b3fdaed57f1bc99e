import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

const files = { 'a.ts': '', 'a.md': '', 'src/b.ts': '', 'src/deep/c.ts': '', 'node_modules/d.ts': '' };

test('search_files matches a pattern at any depth or from one directory', async () => {
  using workspace = new Workspace(files);
  await using client = await workspace.connect();
  const search = (pattern: string, excludePatterns: string[] = []) =>
    workspace.say(client, 'search_files', { path: '.', pattern, excludePatterns });
  expect(await search('*.ts')).toEqual(['a.ts\nsrc/b.ts\nsrc/deep/c.ts\n3 matches']);
  expect(await search('src/*.ts')).toEqual(['src/b.ts\n1 match']);
  expect(await search('src/**')).toEqual(['src/b.ts\nsrc/deep/\nsrc/deep/c.ts\n3 matches']);
  expect(await search('**/*.ts', ['src/deep'])).toEqual(['a.ts\nsrc/b.ts\n2 matches']);
  expect(await search('node_modules/*')).toEqual(['node_modules/d.ts\n1 match']);
  expect(await search('nothing')).toEqual(['No match; includeIgnored finds ignored paths too']);
});

test('F88: search_files refuses a pattern that is too long', async () => {
  using workspace = new Workspace({ ['a'.repeat(120)]: '' });
  await using client = await workspace.connect();
  const [error] = await workspace.say(client, 'search_files', { path: '.', pattern: '{a,b}'.repeat(1_000) });
  expect(error).toBe('ERROR');
});

test('search_files stops when the request is cancelled', async () => {
  using workspace = new Workspace(files);
  await using client = await workspace.connect();
  const stop = new AbortController();
  const searching = client.callTool('search_files', { path: '.', pattern: '**' }, { signal: stop.signal });
  stop.abort(new Error('Enough'));
  await expect(searching).rejects.toThrow('Enough');
  expect(await workspace.say(client, 'search_files', { path: '.', pattern: 'a.md' })).toEqual([
    'a.md\n1 match',
  ]);
});
