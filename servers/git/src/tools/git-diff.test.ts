import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('git_diff compares the work tree with a revision, and two revisions with each other', async () => {
  using workspace = await Workspace.create({ 'a.txt': '1\n' });
  await workspace.diverge('topic', { 'b.txt': 'b\n' }, { 'a.txt': '2\n' });
  await using client = await workspace.connect();
  const diff = (target: string) => workspace.callText(client, 'git_diff', { target });
  expect(await diff('HEAD')).toBe('No difference');
  expect(await diff('HEAD~1')).toContain('-1\n+2\n');
  const both = await diff('main..topic');
  expect(both).toContain('1\t1\ta.txt\n1\t0\tb.txt\n');
  expect(both).toContain('-2\n+1\n');
  const since = await diff('main...topic');
  expect(since).toMatch(/^1\t0\tb\.txt\n/);
  expect(since).not.toContain('a.txt');
  workspace.put('a.txt', '3\n');
  expect(await diff('HEAD')).toContain('-2\n+3\n');
});

test('git_diff refuses an unknown revision, an empty range and a missing target', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_diff', { target: 'nowhere' })).toBe(
    'ERROR No such revision: "nowhere"',
  );
  expect(await workspace.callText(client, 'git_diff', { target: '..' })).toBe(
    'ERROR Invalid range: ".."; expected a..b or a...b',
  );
  expect(await workspace.callText(client, 'git_diff')).toMatch(
    /^ERROR Invalid arguments for git_diff: Missing argument "target" \(string\)/,
  );
});
