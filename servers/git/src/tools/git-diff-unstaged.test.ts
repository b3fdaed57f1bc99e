import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('git_diff_unstaged returns the counts of lines per file, then the diff of the unstaged changes', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_diff_unstaged')).toBe('No unstaged changes');
  workspace.put('a.txt', 'a\nmore\n');
  workspace.put('b.txt', 'staged\n');
  await workspace.git.add('b.txt');
  expect(await workspace.callText(client, 'git_diff_unstaged')).toBe(`1\t0\ta.txt
1 file

diff --git a/a.txt b/a.txt
index 7898192..d49c2e7 100644
--- a/a.txt
+++ b/a.txt
@@ -1 +1,2 @@
 a
+more
`);
});

test('git_diff_unstaged limits the diff to the given context lines and paths', async () => {
  using workspace = await Workspace.create({ 'a.txt': '1\n2\n3\n4\n5\n', 'sub/b.txt': 'b\n' });
  workspace.put('a.txt', '1\n2\nthree\n4\n5\n');
  workspace.put('sub/b.txt', 'c\n');
  await using client = await workspace.connect();
  const none = await workspace.callText(client, 'git_diff_unstaged', { context_lines: 0, paths: ['a.txt'] });
  expect(none).toContain('@@ -3 +3 @@\n-3\n+three\n');
  expect(none).not.toContain('sub/b.txt');
  expect(await workspace.callText(client, 'git_diff_unstaged', { paths: ['sub'] })).toMatch(
    /^1\t1\tsub\/b\.txt\n/,
  );
  expect(await workspace.callText(client, 'git_diff_unstaged', { context_lines: -1 })).toMatch(
    /^ERROR Invalid arguments for git_diff_unstaged: context_lines/,
  );
});
