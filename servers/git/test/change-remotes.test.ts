import { expect, test } from 'vitest';
import { type Workspace, WorkspaceTemplate } from './workspace.ts';

const template = new WorkspaceTemplate({ 'a.txt': 'a\n' }, async (workspace) => {
  await workspace.git.addRemote('origin', 'https://ada:secret@git.example/old.git');
});

async function remote(workspace: Workspace, args: Record<string, unknown>) {
  await using client = await workspace.connect({ allowRemote: true });
  return await workspace.callText(client, 'git_remote', args);
}

test('git_remote lists, adds, changes, renames and removes remotes, and shows no password', async () => {
  using workspace = await template.copy();
  await workspace.git.raw(['update-ref', 'refs/remotes/origin/main', 'HEAD']);
  expect(await remote(workspace, {})).toBe('origin https://ada:…@git.example/old.git\n1 remote');
  const url = 'https://git.example/new.git';
  expect(await remote(workspace, { action: 'set-url', name: 'origin', url })).toBe(
    `was https://ada:…@git.example/old.git\norigin ${url}\n1 remote`,
  );
  expect(await remote(workspace, { action: 'add', name: 'fork', url: 'git@git.example:fork.git' })).toBe(
    `fork git@git.example:fork.git\norigin ${url}\n2 remotes`,
  );
  expect(await remote(workspace, { action: 'rename', name: 'origin', to: 'upstream' })).toBe(
    `fork git@git.example:fork.git\nupstream ${url}\n2 remotes`,
  );
  expect(await workspace.output(['branch', '-r', '--format=%(refname:short)'])).toBe('upstream/main');
  expect(await remote(workspace, { action: 'remove', name: 'upstream' })).toBe(
    `was ${url}\nfork git@git.example:fork.git\n1 remote`,
  );
  expect(await remote(workspace, { action: 'add', name: 'fork', url })).toBe(
    'ERROR The remote already exists: "fork"',
  );
  expect(await remote(workspace, { action: 'remove', name: 'gone' })).toBe(
    'ERROR No such remote: "gone"; the only remote is "fork"',
  );
});

test.each([
  { action: 'add', name: '--mirror=push', url: 'https://git.example/x.git' },
  { action: 'add', name: 'x', url: '--upload-pack=touch' },
  { action: 'add', name: 'x', url: 'ext::sh -c touch% x' },
  { action: 'add', name: 'x', url: 'file:///etc' },
  { action: 'add', name: 'x', url: '../outside' },
  { action: 'add', name: 'x', url: 'https://git.example/\n[core]\n\tfsmonitor = x' },
  { action: 'set-url', name: 'origin', url: '-d' },
  { action: 'rename', name: 'origin', to: '-x' },
  { action: 'rename', name: 'origin', to: 'a b' },
  { action: 'rename', name: 'origin' },
  { action: 'add', url: 'https://git.example/x.git' },
  { action: 'set-url', name: 'origin' },
])('git_remote refuses %j, and changes nothing', async (args) => {
  using workspace = await template.copy();
  const before = workspace.read('.git/config');
  expect(await remote(workspace, args)).toMatch(/^ERROR (Invalid|Missing|Outside)/);
  expect(workspace.read('.git/config')).toBe(before);
});
