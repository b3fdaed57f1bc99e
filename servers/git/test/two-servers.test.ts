import { expect, test } from 'vitest';
import { type Workspace, WorkspaceTemplate } from './workspace.ts';

/** Three commits, and an unstaged change. */
const template = new WorkspaceTemplate({ 'a.txt': 'one\ntwo\n', 'b.txt': 'b\n' }, async (workspace) => {
  await workspace.commit('second', { 'b.txt': '2\n' });
  await workspace.commit('third', { 'b.txt': '3\n' });
});

/** A git which, before the first `command`, lets another process change the repository by `script`. */
function interrupted(workspace: Workspace, command: string, script: string): Promise<Client> {
  const environment = {
    PATH: workspace.wrapGit(
      `if [ "$1" = ${command} ] && mkdir '${workspace.marks}/once' 2>/dev/null; then (${script}) >/dev/null 2>&1; fi`,
    ),
  };
  return workspace.connect({ environment });
}
type Client = Awaited<ReturnType<Workspace['connect']>>;

test('git_add stages no lines of a file of which another process stages others meanwhile', async () => {
  using workspace = await template.copy();
  workspace.put('a.txt', 'zero\none\ntwo\nthree\n');
  const hash = async (text: string) =>
    await workspace.output(['hash-object', '-w', '--stdin'], { input: text });
  const other = await hash('one\ntwo\nthree\n');
  const index = `${await hash('one\ntwo\n')}..${await hash('zero\none\ntwo\nthree\n')}`;
  const script = `"$git" update-index --cacheinfo 100644,${other},a.txt`;
  await using client = await interrupted(workspace, 'apply', script);
  const args = { files: ['a.txt'], lines: ['+1'], index };
  expect(await workspace.callText(client, 'git_add', args)).toBe(
    'ERROR The file, or what is staged of it, has changed since that diff, and nothing was staged: read the unstaged diff again',
  );
  expect(await workspace.output(['show', ':a.txt'])).toBe('one\ntwo\nthree');
});

test.each([
  ['reword', { reword: 'HEAD~1' }],
  ['squash', { squash: 'HEAD~2' }],
  ['fixup', { fixup: 'HEAD~1' }],
])('a %s loses no commit that another process makes meanwhile', async (_what, args) => {
  using workspace = await template.copy();
  const script = '"$git" commit -q --allow-empty -m meanwhile';
  await using client = await interrupted(workspace, 'update-ref', script);
  expect(await workspace.callText(client, 'git_commit', { message: 'mine', ...args })).toBe(
    'ERROR HEAD was moved by another process meanwhile; nothing was changed',
  );
  expect(await workspace.output(['log', '--format=%s'])).toBe('meanwhile\nthird\nsecond\nfirst');
  expect(await workspace.output(['status', '--porcelain'])).toBe('');
});

test('two servers that stage lines, reword and commit at once lose nothing', async () => {
  using workspace = await template.copy();
  workspace.put('a.txt', 'zero\none\ntwo\nthree\n');
  const clients = [await workspace.connect(), await workspace.connect()] as const;
  const diff = await workspace.callText(clients[0], 'git_diff_unstaged', { paths: ['a.txt'] });
  const index = /^index (\S+)/m.exec(diff)?.[1];
  const texts = await Promise.all([
    workspace.callText(clients[0], 'git_add', { files: ['a.txt'], lines: ['+1'], index }),
    workspace.callText(clients[1], 'git_add', { files: ['a.txt'], lines: ['+4'], index }),
    workspace.callText(clients[0], 'git_commit', { message: 'again', reword: 'HEAD~1' }),
    workspace.callText(clients[1], 'git_commit', { message: 'empty', allow_empty: true }),
  ]);
  for (const text of texts)
    expect(text).toMatch(
      /^(Staged|Committed|Reworded|ERROR (The index|The file|HEAD was moved|Another git|Git refused: cannot lock))/,
    );
  const done = texts.filter((text) => text.startsWith('Committed') || text.startsWith('Reworded'));
  expect(done.length).toBeGreaterThan(0);
  const subjects = await workspace.output(['log', '--format=%s']);
  if (texts[3].startsWith('Committed')) expect(subjects).toContain('empty');
  if (texts[2].startsWith('Reworded')) expect(subjects).toContain('again');
  expect(workspace.read('a.txt')).toBe('zero\none\ntwo\nthree\n');
  expect(await workspace.output(['fsck', '--connectivity-only', '--no-dangling', '--no-progress'])).toBe('');
  await Promise.all(clients.map((client) => client.close()));
});
