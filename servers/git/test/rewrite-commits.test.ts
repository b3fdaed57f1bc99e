import { expect, test } from 'vitest';
import { Workspace, WorkspaceTemplate } from './workspace.ts';

/** Four commits on main, the last of them a merge. */
const history = new WorkspaceTemplate({ 'a.txt': 'a\n' }, async (workspace) => {
  await workspace.commit('secnod', { 'b.txt': 'b\n' });
  await workspace.git.checkoutLocalBranch('side');
  await workspace.commit('on the side', { 'c.txt': 'c\n' });
  await workspace.git.checkout('main');
  await workspace.commit('third', { 'd.txt': 'd\n' });
  await workspace.git.raw(['merge', '--no-ff', '-m', 'merged', 'side']);
});

const commit = async (workspace: Workspace, args: Record<string, unknown>) => {
  await using client = await workspace.connect();
  return await workspace.callText(client, 'git_commit', args);
};
const graph = (workspace: Workspace) =>
  workspace.output(['log', '--topo-order', '--format=%s|%an|%ad|%T', '--date=iso-strict']);

test('git_commit with reword replaces the message of an older commit, and nothing else', async () => {
  using workspace = await history.copy();
  workspace.put('a.txt', 'changed\n');
  workspace.put('b.txt', 'staged\n');
  await workspace.git.add('b.txt');
  const [before, head, status] = [
    await graph(workspace),
    await workspace.git.revparse('HEAD'),
    await workspace.output(['status', '--porcelain']),
  ];
  expect(await commit(workspace, { message: 'second', reword: 'HEAD~2' })).toMatch(
    new RegExp(
      `^Reworded on main: [0-9a-f]{10} 2026-01-02 Ada: merged; to undo: git_reset with mode "soft" and revision ${head.slice(0, 10)}$`,
    ),
  );
  expect(await graph(workspace)).toBe(before.replace('secnod', 'second'));
  expect(await workspace.output(['status', '--porcelain'])).toBe(status);
  expect(await workspace.output(['fsck', '--strict'])).toBe('');
  expect(await workspace.output(['rev-list', '--count', '--merges', 'HEAD'])).toBe('1');
});

test('git_commit with reword keeps what git stores beside the message, except signatures', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const tree = await workspace.git.revparse('HEAD^{tree}');
  const raw = [
    `tree ${tree}`,
    'author Ada <ada@example.com> 1000000000 +0200',
    'committer Ada <ada@example.com> 1000000000 +0200',
    'gpgsig -----BEGIN PGP SIGNATURE-----',
    ' ',
    ' forged',
    ' -----END PGP SIGNATURE-----',
    'encoding ISO-8859-1',
    '',
    'gr\xfcn\n',
  ].join('\n');
  const hashOf = async (text: string) =>
    (
      await workspace
        .gitAt(workspace.root, Buffer.from(text, 'latin1'))
        .raw(['hash-object', '-t', 'commit', '-w', '--stdin'])
    ).trim();
  const first = await hashOf(raw);
  const second = await hashOf(raw.replace('\nauthor', `\nparent ${first}\nauthor`));
  await workspace.git.raw(['reset', '-q', '--hard', second]);
  await commit(workspace, { message: 'gr\u00fcn, again\n\ngpgsig not a header', reword: 'HEAD~1' });
  const [older, newer] = await Promise.all(
    ['HEAD~1', 'HEAD'].map((name) => workspace.output(['cat-file', 'commit', name])),
  );
  expect(older?.split('\n\n')[0]).not.toMatch(/gpgsig|encoding/);
  expect(older).toMatch(/\n\ngr\u00fcn, again\n\ngpgsig not a header$/);
  expect(newer).toMatch(/\nencoding ISO-8859-1\n\n/);
  expect(newer).not.toMatch(/gpgsig/);
  expect(older).toContain('author Ada <ada@example.com> 1000000000 +0200');
  expect(await workspace.output(['log', '-1', '--format=%s', '--encoding=UTF-8'])).toBe('gr\u00fcn');
});

test('git_commit with squash replaces the commits after a revision by one', async () => {
  using workspace = await history.copy();
  const [tree, head, base] = await Promise.all(
    ['HEAD^{tree}', 'HEAD', 'HEAD~3'].map((name) => workspace.git.revparse(name)),
  );
  expect(await commit(workspace, { message: 'all', squash: 'HEAD~3' })).toMatch(
    new RegExp(
      `: all; 3 files, \\+3 −0; to undo: git_reset with mode "soft" and revision ${head!.slice(0, 10)}$`,
    ),
  );
  expect(await workspace.output(['log', '--format=%s %T %P', '-1'])).toBe(`all ${tree} ${base}`);
});

test('git_commit with squash leaves HEAD where it was when there is nothing to commit', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.commit('changed', { 'a.txt': 'b\n' });
  await workspace.commit('changed back', { 'a.txt': 'a\n' });
  const before = await workspace.state();
  expect(await commit(workspace, { message: 'x', squash: 'HEAD~2' })).toBe(
    'ERROR Nothing to commit: nothing is staged',
  );
  expect(await workspace.state()).toBe(before);
  expect(await workspace.git.revparse('HEAD')).toBe(await workspace.git.revparse('main'));
});

test('git_commit with files stages them first, also deleted ones, and no others', async () => {
  using workspace = await history.copy();
  workspace.put('new.txt', 'new\n');
  workspace.put('other.txt', 'other\n');
  process.getBuiltinModule('node:fs').rmSync(`${workspace.root}/b.txt`);
  expect(await commit(workspace, { message: 'two', files: ['new.txt', 'b.txt'] })).toMatch(/^Committed /);
  expect(await workspace.output(['show', '--name-status', '--format='])).toBe('D\tb.txt\nA\tnew.txt');
  expect(await workspace.output(['status', '--porcelain'])).toBe('?? other.txt');
});

test.each([
  { reword: '--all' },
  { squash: '-h' },
  { squash: 'a..b' },
  { reword: 'HEAD~1', squash: 'HEAD~2' },
  { reword: 'HEAD~1', amend: true },
  { reword: 'HEAD~1', files: ['a.txt'] },
  { reword: 'HEAD~1', author: 'Eve <eve@example.com>' },
  { reword: 'HEAD~1', message: 'NUL \0' },
  { reword: 'HEAD~1', message: '' },
  { reword: 'side' },
  { squash: 'HEAD' },
  { squash: 'missing' },
  { files: ['../outside'] },
  { files: ['.git/config'] },
  { files: [':/'] },
  { files: ['-A'] },
])('git_commit refuses %j, and changes nothing', async (args) => {
  using workspace = await history.copy();
  await workspace.git.branch(['--force', 'side', 'HEAD']);
  await workspace.git.raw(['update-ref', 'refs/heads/side', await orphan(workspace)]);
  const before = await workspace.state();
  expect(await commit(workspace, { message: 'x', ...args })).toMatch(/^ERROR /);
  expect(await workspace.state()).toBe(before);
});

/** A commit without parents. */
function orphan(workspace: Workspace): Promise<string> {
  return workspace.output(['commit-tree', '-m', 'elsewhere', 'HEAD^{tree}']);
}

test('git_commit rewrites no commits while a merge is in progress', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'base\n' });
  await workspace.diverge('other', { 'a.txt': 'theirs\n' }, { 'a.txt': 'ours\n' });
  await expect(workspace.git.merge(['other'])).rejects.toThrow();
  for (const args of [{ reword: 'HEAD' }, { squash: 'HEAD~1' }])
    expect(await commit(workspace, { message: 'x', ...args })).toBe(
      'ERROR A merge is in progress: continue or abort it first',
    );
});
