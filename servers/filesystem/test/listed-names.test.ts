import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

test('names that begin or end with a space are quoted in lists, and found by the bare name', async () => {
  using workspace = new Workspace({ ' lead': 'x', 'trail ': 'x', 'in side': 'x', ' d/"e ': 'x' });
  await using client = await workspace.connect();
  const say = async (tool: string, args: object) => (await workspace.say(client, tool, { ...args }))[0];
  const path = '.';
  expect(await say('list_directory', { path })).toBe(
    '[DIR] " d"\n[FILE] " lead"\n[FILE] in side\n[FILE] "trail "\n4 entries',
  );
  expect(await say('list_directory_with_sizes', { path })).toContain('[FILE] " lead"  1\n');
  expect(await say('directory_tree', { path })).toBe(
    '" d"/\n "\\"e "\n" lead"\nin side\n"trail "\n5 entries',
  );
  const found = await say('search_files', { path, pattern: '**' });
  for (const each of ['" d"/', '" d/\\"e "', '" lead"', 'in side', '"trail "']) expect(found).toContain(each);
  expect(await say('search_text', { text: 'x', filesOnly: true })).toContain('" lead"\n');
  expect(await say('search_text', { text: 'x' })).toContain('" lead"\n1\tx');
  expect(await say('read_text_file', { path: ' lead' })).toBe('x');
});
