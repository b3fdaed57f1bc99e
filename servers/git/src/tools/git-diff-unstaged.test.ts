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

test('git_diff_unstaged lists the other files first where a file is in conflict, and that file once', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
  await workspace.diverge('topic', { 'b.txt': 'theirs\n' }, { 'b.txt': 'ours\n' });
  await using client = await workspace.connect();
  await workspace.callText(client, 'git_integrate', { action: 'merge', revision: 'topic' });
  const conflict = `diff --cc b.txt
index 9d0ae54,0d8dcdc..0000000
--- a/b.txt
+++ b/b.txt
@@@ -1,1 -1,1 +1,5 @@@
++<<<<<<< HEAD
 +ours
++=======
+ theirs
++>>>>>>> topic
`;
  const only = await workspace.callText(client, 'git_diff_unstaged');
  expect(only.replace(/^index .*\n/m, '')).toBe(conflict.replace(/^index .*\n/m, ''));
  workspace.put('a.txt', 'a\nmore\n');
  workspace.put('c.txt', '');
  const text = await workspace.callText(client, 'git_diff_unstaged');
  expect(text).toBe(`1\t0\ta.txt
0\t1\tc.txt
2 files

${only}diff --git a/a.txt b/a.txt
index 7898192..d49c2e7 100644
--- a/a.txt
+++ b/a.txt
@@ -1 +1,2 @@
 a
+more
diff --git a/c.txt b/c.txt
index f2ad6c7..e69de29 100644
--- a/c.txt
+++ b/c.txt
@@ -1 +0,0 @@
-c
`);
  expect(await workspace.callText(client, 'git_diff_unstaged', { stat: true })).toBe(
    '1\t0\ta.txt\n4\t0\tb.txt\n0\t1\tc.txt\n3 files\n',
  );
});

test('git_diff_unstaged pages through a long conflict and the files after it', async () => {
  const lines = (word: string) => Array.from({ length: 2_500 }, (_, n) => `${word} ${n}\n`).join('');
  using workspace = await Workspace.create({ 'a.txt': 'a\n', 'z.txt': 'z\n' });
  await workspace.diverge('topic', { 'a.txt': lines('theirs') }, { 'a.txt': lines('ours') });
  await using client = await workspace.connect();
  await workspace.callText(client, 'git_integrate', { action: 'merge', revision: 'topic' });
  workspace.put('z.txt', lines('last'));
  let text = '';
  let cursor: string | undefined;
  do {
    const page = await workspace.callText(
      client,
      'git_diff_unstaged',
      cursor === undefined ? {} : { cursor },
    );
    cursor = /more with cursor "([^"]+)"$/.exec(page)?.[1];
    text += page;
  } while (cursor !== undefined);
  expect(text).toMatch(/^2500\t1\tz\.txt\n1 file\n\ndiff --cc a\.txt\n/);
  for (const word of ['ours', 'theirs', 'last'])
    expect(new Set(text.match(new RegExp(`${word} \\d+$`, 'gm'))).size).toBe(2_500);
});
