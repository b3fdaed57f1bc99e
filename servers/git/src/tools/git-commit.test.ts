import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('git_commit commits the staged changes with the unchanged message', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const parent = await workspace.git.revparse('HEAD');
  workspace.put('a.txt', 'b\n');
  await workspace.git.add('a.txt');
  await using client = await workspace.connect();
  const message = '# Not a comment\n\nA body  \n';
  const text = await workspace.callText(client, 'git_commit', { message });
  const commit = await workspace.git.revparse('HEAD');
  expect(await workspace.git.revparse('HEAD~1')).toBe(parent);
  expect(text).toMatch(
    new RegExp(
      `^Committed on main: ${commit.slice(0, 10)} \\d{4}-\\d\\d-\\d\\d Ada: # Not a comment; 1 file, \\+1 −1$`,
    ),
  );
  expect(await workspace.output(['cat-file', 'commit', 'HEAD'])).toMatch(/\n\n# Not a comment\n\nA body$/);
});

test('git_commit sets an author, amends, and creates an empty commit only with allow_empty', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await using client = await workspace.connect();
  const before = await workspace.state();
  expect(await workspace.callText(client, 'git_commit', { message: 'm' })).toBe(
    'ERROR Nothing to commit: nothing is staged',
  );
  expect(await workspace.state()).toBe(before);
  const author = 'Grace <grace@example.com>';
  await client.callTool('git_commit', { message: 'empty', author, allow_empty: true });
  expect(await workspace.output(['log', '-1', '--format=%an <%ae>, %cn'])).toBe(`${author}, Ada`);
  await client.callTool('git_commit', { message: 'amended', amend: true, allow_empty: true });
  expect(await workspace.output(['log', '--format=%s'])).toBe('amended\nfirst');
});

test('git_commit refuses an invalid message or author, and changes nothing', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  workspace.put('a.txt', 'b\n');
  await workspace.git.add('a.txt');
  await using client = await workspace.connect();
  const before = await workspace.state();
  const commit = (args: object) => workspace.callText(client, 'git_commit', { ...args });
  expect(await commit({ message: ' \n' })).toBe('ERROR Invalid message: it is empty');
  expect(await commit({ message: 'a\0b' })).toBe('ERROR Invalid message: it contains a NUL');
  expect(await commit({ message: 'x'.repeat(1024 * 1024 + 1) })).toBe(
    'ERROR Invalid message: it is longer than 1 MiB',
  );
  expect(await commit({ message: 'm', author: 'Grace' })).toBe(
    'ERROR Invalid author: "Grace"; expected Name <email>',
  );
  expect(await workspace.state()).toBe(before);
});
