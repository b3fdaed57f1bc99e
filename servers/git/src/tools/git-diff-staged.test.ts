import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('shows what is staged, and not what is changed since', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'git_diff_staged')).toBe('Nothing is staged');
  workspace.put('a.txt', 'staged\n');
  await workspace.git.add('a.txt');
  workspace.put('a.txt', 'later\n');
  const said = await workspace.say(client, 'git_diff_staged');
  expect(said).toContain('1\t1\ta.txt\n');
  expect(said).toContain('-a\n+staged\n');
  expect(said).not.toContain('later');
});

test('shows what is staged before the first commit', async () => {
  using workspace = await Workspace.create();
  workspace.put('a.txt', 'a\n');
  await workspace.git.add('a.txt');
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'git_diff_staged')).toContain('new file mode 100644\n');
});
