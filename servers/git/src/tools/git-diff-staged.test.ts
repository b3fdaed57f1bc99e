import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('git_diff_staged returns the staged changes without the later ones', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_diff_staged')).toBe('Nothing is staged');
  workspace.put('a.txt', 'staged\n');
  await workspace.git.add('a.txt');
  workspace.put('a.txt', 'later\n');
  const text = await workspace.callText(client, 'git_diff_staged');
  expect(text).toContain('1\t1\ta.txt\n');
  expect(text).toContain('-a\n+staged\n');
  expect(text).not.toContain('later');
});

test('git_diff_staged returns the staged files before the first commit', async () => {
  using workspace = await Workspace.create();
  workspace.put('a.txt', 'a\n');
  await workspace.git.add('a.txt');
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_diff_staged')).toContain('new file mode 100644\n');
});
