import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('git_show returns a commit with its diff', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const parent = await workspace.git.revparse('HEAD');
  workspace.environment['GIT_AUTHOR_DATE'] = workspace.environment['GIT_COMMITTER_DATE'] =
    '2026-01-02T03:04:05+01:00';
  const commit = await workspace.commit('Subject\n\nBody', { 'a.txt': 'b\n' });
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_show', { revision: 'HEAD' })).toBe(`commit ${commit}
Parents: ${parent}
Author: Ada <ada@example.com> 2026-01-02T03:04:05+01:00
    Subject
    
    Body

1\t1\ta.txt
1 file

diff --git a/a.txt b/a.txt
index 7898192..6178079 100644
--- a/a.txt
+++ b/a.txt
@@ -1 +1 @@
-a
+b
`);
});

test('git_show returns a file or a directory of a revision, and refuses missing ones', async () => {
  using workspace = await Workspace.create({ 'sub/a.txt': 'a\n' });
  await using client = await workspace.connect();
  const show = (revision: string) => workspace.callText(client, 'git_show', { revision });
  expect(await show('HEAD:sub/a.txt')).toBe('a\n');
  expect(await show('HEAD:sub')).toBe('1 entry:\na.txt');
  expect(await show('HEAD:missing.txt')).toBe('ERROR No such file in that revision: "HEAD:missing.txt"');
  expect(await show('nowhere')).toBe('ERROR No such revision: "nowhere"');
});
