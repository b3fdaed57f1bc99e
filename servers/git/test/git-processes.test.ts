import { expect, test } from 'vitest';
import { connectRecorded } from './recorded-git.ts';
import { Workspace } from './workspace.ts';

test('a read starts one git process where the repository was inspected before', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n', 'b/c.txt': 'c\n' });
  workspace.put('a.txt', 'changed\n');
  const { client, started, clear } = await connectRecorded(workspace);
  await using _ = client;
  for (const [tool, args, command] of [
    ['git_status', {}, 'status'],
    ['git_log', { max_count: 50 }, 'log'],
    ['git_diff_unstaged', {}, 'diff'],
    ['git_diff_staged', {}, 'diff'],
    ['git_diff', { target: 'HEAD' }, 'diff'],
    ['git_show', { revision: 'HEAD' }, 'show'],
    ['git_blame', { path: 'a.txt' }, 'blame'],
    ['git_grep', { pattern: 'a' }, 'grep'],
    ['git_branch', {}, 'for-each-ref'],
    ['git_read_file', { path: 'a.txt' }, 'cat-file'],
  ] as const) {
    clear();
    for (let repeat = 0; repeat < 2; repeat++)
      expect((await client.callTool(tool, args)).isError, tool).toBeUndefined();
    expect(started(), tool).toEqual([command, command]);
  }
});
