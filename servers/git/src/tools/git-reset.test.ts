import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('git_reset unstages everything and keeps the files', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  workspace.put('a.txt', 'changed\n');
  await workspace.git.add('a.txt');
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_reset')).toMatch(/^main is at \w+; 1 not staged$/);
  expect(await workspace.output(['status', '--porcelain'])).toBe(' M a.txt');
  expect(workspace.read('a.txt')).toBe('changed\n');
});

test('git_reset moves the branch: soft keeps the index, mixed keeps the files, hard keeps neither', async () => {
  using workspace = await Workspace.create({ 'a.txt': '1\n' });
  const first = await workspace.git.revparse('HEAD');
  await using client = await workspace.connect();
  for (const [mode, status, content, left] of [
    ['soft', 'M  a.txt', '2\n', '1 staged'],
    ['mixed', ' M a.txt', '2\n', '1 not staged'],
    ['hard', '', '1\n', 'clean'],
  ]) {
    await workspace.git.reset(['--hard', first]);
    await workspace.commit('second', { 'a.txt': '2\n' });
    const second = await workspace.git.revparse(['--short=10', 'HEAD']);
    expect(await workspace.callText(client, 'git_reset', { mode, revision: 'HEAD~1' })).toBe(
      `main is at ${first.slice(0, 10)}, was ${second}; ${left}`,
    );
    expect(await workspace.git.revparse('HEAD')).toBe(first);
    expect(await workspace.output(['status', '--porcelain'])).toBe(status);
    expect(workspace.read('a.txt')).toBe(content);
  }
});

test('git_reset changes nothing if the revision is unknown', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  workspace.put('a.txt', 'changed\n');
  await using client = await workspace.connect();
  const before = await workspace.state();
  for (const mode of ['soft', 'mixed', 'hard'])
    expect(await workspace.callText(client, 'git_reset', { mode, revision: 'nowhere' })).toMatch(/^ERROR /);
  expect(await workspace.state()).toBe(before);
});

test('git_reset keep moves the branch with all local changes, or refuses', async () => {
  using workspace = await Workspace.create({ 'a.txt': '1\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
  const second = await workspace.commit('second', { 'a.txt': '2\n' });
  workspace.put('b.txt', 'staged\n');
  await workspace.git.add('b.txt');
  workspace.put('c.txt', 'changed\n');
  await using client = await workspace.connect();
  const keep = (args: object) => workspace.callText(client, 'git_reset', { mode: 'keep', ...args });
  expect(await keep({ revision: 'HEAD~1' })).toMatch(
    new RegExp(`^main is at \\w+, was ${second.slice(0, 7)}`),
  );
  expect(await workspace.output(['status', '--porcelain'])).toBe('M  b.txt\n M c.txt');
  expect(await workspace.output(['log', '--format=%s'])).toBe('first');
  expect(await keep({})).toBe('ERROR Missing revision: the mode "keep" moves the branch to it');
  workspace.put('a.txt', 'mine\n');
  const before = await workspace.state();
  expect(await keep({ revision: second })).toBe(
    'ERROR Local changes would be overwritten: commit, stash or restore them first',
  );
  expect(await keep({ revision: 'nowhere' })).toMatch(/^ERROR No such revision: "nowhere"/);
  expect(await workspace.state()).toBe(before);
});
