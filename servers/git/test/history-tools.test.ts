import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

test('the tools for histories are listed only with --history, and without --read-only where they write', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const names = async (options: object) => {
    await using client = await workspace.connect(options);
    return (await client.listTools()).map(({ name }) => name);
  };
  const history = ['git_bisect', 'git_range_diff', 'git_shortlog', 'git_submodule'];
  expect((await names({})).filter((name) => history.includes(name))).toEqual([]);
  expect((await names({ history: true })).filter((name) => history.includes(name)).toSorted()).toEqual(
    history,
  );
  const reading = await names({ history: true, readOnly: true });
  expect(reading.filter((name) => history.includes(name)).toSorted()).toEqual([
    'git_range_diff',
    'git_shortlog',
  ]);
});

test('git_range_diff pairs the commits before and after a rebase', async () => {
  using workspace = await Workspace.create({ 'a.txt': '1\n2\n3\n4\n5\n6\n7\n8\n9\n' });
  await workspace.git.checkoutLocalBranch('topic');
  await workspace.commit('same', { 'b.txt': 'b\n' });
  await workspace.commit('changed', { 'c.txt': `one\ntwo\nthree\n${'more\n'.repeat(20)}` });
  await workspace.commit('dropped', { 'd.txt': 'd\n' });
  const before = await workspace.git.revparse('HEAD');
  await workspace.git.checkout('main');
  await workspace.commit('upstream', { 'a.txt': 'x\n' });
  await workspace.git.checkout(['-q', '-B', 'topic', 'main']);
  await workspace.git.raw(['cherry-pick', `${before}~2`]);
  await workspace.git.raw(['cherry-pick', '--no-commit', `${before}~1`]);
  workspace.put('c.txt', `one\n2\nthree\n${'more\n'.repeat(20)}`);
  await workspace.commit('changed');
  await using client = await workspace.connect({ history: true });
  const diff = (args: object) => workspace.callText(client, 'git_range_diff', { before, ...args });
  expect(await diff({ base: 'main', stat: true })).toMatch(
    /^1: +\w{10} = 1: +\w{10} same\n2: +\w+ ! 2: +\w+ changed\n3: +\w+ < -: +-+ dropped\n$/,
  );
  expect(await diff({ stat: true })).toMatch(/^-: +-+ > 1: +\w+ upstream$/m);
  expect(await diff({ base: 'main' })).toMatch(/^ +-\+two\n +\+\+2$/m);
  expect(await diff({ after: before, stat: true })).toBe('No commits differ');
  expect(await diff({ after: 'nowhere' })).toMatch(/^ERROR No such revision: "nowhere"/);
});

test('git_shortlog says who knows a file: commits, dates and lines, through renames', async () => {
  using workspace = await Workspace.create({ 'old.txt': '1\n2\n3\n4\n5\n6\n' });
  await workspace.git.mv('old.txt', 'new.txt');
  await workspace.commit('rename');
  await workspace.git.addConfig('user.name', 'Grace');
  await workspace.git.addConfig('user.email', 'GRACE@example.com');
  await workspace.commit('two of six', { 'new.txt': '1\n2\n3\n4\nfive\nsix\n' });
  await workspace.commit('elsewhere', { 'other/x.txt': 'x\n' });
  await using client = await workspace.connect({ history: true });
  const authors = (args: object) => workspace.callText(client, 'git_shortlog', { ...args });
  expect(await authors({ path: 'new.txt' })).toBe(
    'Ada <ada@example.com> 2 commits, 2026-01-02 to 2026-01-02, 4 of 6 lines\n' +
      'Grace <GRACE@example.com> 1 commit, 2026-01-02 to 2026-01-02, 2 of 6 lines\n2 authors',
  );
  expect(await authors({ path: 'other' })).toBe(
    'Grace <GRACE@example.com> 1 commit, 2026-01-02 to 2026-01-02\n1 author',
  );
  expect(await authors({})).toMatch(/^Grace .* 2 commits, .*\nAda .* 2 commits, .*\n2 authors$/);
  expect(await authors({ start_timestamp: '2026-02-01' })).toBe('No commits');
  expect(await authors({ path: 'nww.txt' })).toBe(
    'No commits; "HEAD" has no such path: "nww.txt"; similar names are "new.txt"',
  );
});

test('git_range_diff refuses the conversions of an untrusted repository, and runs them with --trust', async () => {
  using workspace = await Workspace.create({ '.gitattributes': '* diff=x\n', 'a.txt': 'a\n' });
  await workspace.git.addConfig('diff.x.textconv', workspace.program());
  await workspace.git.checkoutLocalBranch('topic');
  await workspace.commit('topic', { 'a.txt': 'b\n' });
  const diff = async (trust: boolean) => {
    await using client = await workspace.connect({ history: true, trust });
    return await workspace.callText(client, 'git_range_diff', { before: 'main~0', after: 'topic' });
  };
  expect(await diff(false)).toMatch(
    /^ERROR Refused: git would convert files .*; start the server with --trust/,
  );
  expect(workspace.executed).toEqual([]);
  expect(await diff(true)).toContain('topic');
  expect(workspace.executed).toEqual(['program']);
});
