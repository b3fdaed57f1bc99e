import { expect, test } from 'vitest';
import { conversation } from '@mcp/test-kit';
import { run } from './program.ts';
import { Workspace } from './workspace.ts';

test('git_read_file reports that a path is in a submodule', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const module = await workspace.foreign('module');
  await workspace.git.raw(['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', module, 'sub']);
  await workspace.commit('with a submodule');
  await using client = await workspace.connect();
  for (const path of ['sub', 'sub/secret.txt'])
    expect(await workspace.callText(client, 'git_read_file', { path }), path).toMatch(
      /^ERROR In a submodule, whose files are in another repository: "sub"$/,
    );
});

test('a file whose name has a line break can be read', async () => {
  using workspace = await Workspace.create({ 'two\nlines.txt': 'content\n', 'dir\nx/b.txt': 'b\n' });
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_read_file', { path: 'two\nlines.txt' })).toBe('content\n');
  expect(await workspace.callText(client, 'git_read_file', { path: 'dir\nx' })).toBe('1 entry:\nb.txt');
  expect(await workspace.callText(client, 'git_show', { revision: 'HEAD:dir\nx/b.txt' })).toBe('b\n');
  expect(await workspace.callText(client, 'git_read_file', { path: 'none\nHEAD:a' })).toContain(
    'ERROR No such file',
  );
});

test('git_branch lists the commit of a tag of a tag', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.git.addAnnotatedTag('inner', 'inner');
  await workspace.git.tag(['-a', '-m', 'outer', 'outer', 'inner']);
  const commit = await workspace.git.revparse('HEAD');
  await using client = await workspace.connect();
  expect(await workspace.refs(client, { branch_type: 'tags' })).toMatchObject([
    { name: 'inner', commit: commit.slice(0, 10) },
    { name: 'outer', commit: commit.slice(0, 10) },
  ]);
});

test('git_log returns an empty string for a date that git cannot parse', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const tree = await workspace.git.revparse('HEAD^{tree}');
  const input = `tree ${tree}\nauthor A <a@b> -1 +0000\ncommitter A <a@b> -1 +0000\n\nodd\n`;
  const hash = await workspace.output(['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'], {
    input,
  });
  await using client = await workspace.connect();
  const { commits } = await workspace.log(client, { revision: hash });
  expect(commits).toMatchObject([{ authored: '', message: 'odd' }]);
  expect(await workspace.callText(client, 'git_log', { revision: hash })).not.toContain('%');
  expect(await workspace.callText(client, 'git_show', { revision: hash })).not.toContain('%');
});

test('many calls at once cause no warning about listeners', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const calls = Array.from(
    { length: 16 },
    () => ['tools/call', { name: 'git_status', arguments: {} }] as const,
  );
  const { stderr, stdout } = await run([workspace.root], { input: conversation(...calls) });
  expect(stderr).toBe('');
  expect(stdout.match(/On main/g)).toHaveLength(16);
});
