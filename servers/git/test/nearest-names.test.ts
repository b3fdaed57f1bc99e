import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@mcp/protocol/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Workspace, WorkspaceTemplate } from './workspace.ts';

const template = new WorkspaceTemplate(
  { 'src/server.ts': 'x\n', 'src/tools/git-status.ts': 'x\n', 'README.md': 'x\n' },
  async (workspace) => {
    await workspace.git.branch(['feature/login']);
    await workspace.git.addTag('v1.10.0');
    await workspace.git.addRemote('origin', 'https://git.example/x.git');
    await workspace.git.raw(['update-ref', 'refs/remotes/origin/release', 'HEAD']);
    workspace.put('src/server.ts', 'changed\n');
    await workspace.git.stash();
  },
);

/** No call of the table below changes it. */
let shared: { readonly workspace: Workspace; readonly client: Client };

beforeAll(async () => {
  const workspace = await template.copy();
  shared = { workspace, client: await workspace.connect() };
});
afterAll(async () => {
  await shared.client.close();
  shared.workspace[Symbol.dispose]();
});

test.each([
  ['git_checkout', { branch_name: 'login' }, 'No such branch or revision: "login"', '"feature/login"'],
  [
    'git_delete_branch',
    { branch_name: 'feature/logins' },
    'No such branch: "feature/logins"',
    '"feature/login"',
  ],
  ['git_create_branch', { branch_name: 'x', rename: 'Login' }, 'No such branch: "Login"', '"feature/login"'],
  [
    'git_create_branch',
    { branch_name: 'x', base_branch: 'v1.1.0' },
    'No such revision: "v1.1.0"',
    '"v1.10.0"',
  ],
  [
    'git_create_branch',
    { branch_name: 'main', upstream: 'origin/releas' },
    'No such upstream branch: "origin/releas"',
    '"origin/release"',
  ],
  ['git_tag', { action: 'delete', name: 'v1.10' }, 'No such tag: "v1.10"', '"v1.10.0"'],
  [
    'git_log',
    { revision: 'featur/login~1..main' },
    'No such revision: "featur/login~1..main"',
    '"feature/login"',
  ],
  ['git_diff', { target: 'v1.10' }, 'No such revision: "v1.10"', '"v1.10.0"'],
  ['git_show', { revision: 'v1.10' }, 'No such revision: "v1.10"', '"v1.10.0"'],
  [
    'git_show',
    { revision: 'HEAD:server.ts' },
    'No such file in that revision: "HEAD:server.ts"',
    '"src/server.ts"',
  ],
  ['git_integrate', { action: 'merge', revision: 'login' }, 'No such revision: "login"', '"feature/login"'],
  ['git_integrate', { action: 'rebase', revision: 'login' }, 'No such revision: "login"', '"feature/login"'],
  ['git_commit', { message: 'm', squash: 'v1.10' }, 'No such revision: "v1.10"', '"v1.10.0"'],
  ['git_add', { files: ['server.ts'] }, 'No such file: "server.ts"', '"src/server.ts"'],
  ['git_restore', { paths: ['readme.md'] }, 'Not a tracked file: "readme.md"', '"README.md"'],
  [
    'git_blame',
    { path: 'src/git-status.ts' },
    'No such file in "HEAD": "src/git-status.ts"',
    '"src/tools/git-status.ts"',
  ],
  [
    'git_read_file',
    { path: 'src/sever.ts', revision: 'main' },
    'No such file in "main": "src/sever.ts"',
    '"src/server.ts"',
  ],
  ['git_read_file', { path: 'README.md', revision: 'mian' }, 'No such revision: "mian"', '"main"'],
  ['git_reset', { mode: 'hard', revision: 'mian' }, 'No such revision: "mian"', '"main"'],
  ['git_reset', { revision: 'v1.10' }, 'No such revision: "v1.10"', '"v1.10.0"'],
  ['git_restore', { paths: ['README.md'], source: 'v1.10' }, 'No such revision: "v1.10"', '"v1.10.0"'],
  [
    'git_restore',
    { paths: ['README.md'], source: 'v1.10', staged: true },
    'No such revision: "v1.10"',
    '"v1.10.0"',
  ],
] as const)('%s of %j names what is similar', async (tool, args, message, name) => {
  const text = await shared.workspace.callText(shared.client, tool, args);
  expect(text.split('; similar names are ')[0]).toBe(`ERROR ${message}`);
  expect(text.split('; similar names are ')[1]?.split(', ')).toContain(name);
});

async function calls(workspace: Workspace) {
  const client = await workspace.connect({ allowRemote: true });
  return (tool: string, args: object) => workspace.callText(client, tool, { ...args });
}

test('an unknown remote, stash or work tree comes with those that there are', async () => {
  using workspace = await template.copy();
  const call = await calls(workspace);
  expect(await call('git_fetch', { remote: 'upstream' })).toBe(
    'ERROR No such remote: "upstream"; the only remote is "origin"',
  );
  expect(await call('git_remote', { action: 'remove', name: 'orign' })).toBe(
    'ERROR No such remote: "orign"; the only remote is "origin"',
  );
  expect(await call('git_stash', { action: 'apply', index: 3 })).toBe(
    'ERROR No such stash: 3; the only stash is 0',
  );
  expect(await call('git_worktree', { action: 'remove', path: 'tree' })).toBe(
    'ERROR Not a linked work tree: "tree"; there is no linked work tree',
  );
});

test('a log of a path, a prompt and a resource that do not exist name what is similar', async () => {
  const { workspace, client } = shared;
  expect(await workspace.callText(client, 'git_log', { path: 'src/sever.ts' })).toMatch(
    /^No commits; "HEAD" has no such path: "\S+"; similar names are "src\/server\.ts"/,
  );
  expect(await workspace.callText(client, 'git_log', { path: 'README.md', author: 'Eve' })).toBe(
    'No commits',
  );
  const { messages } = await client.getPrompt('explain_commit', { revision: 'v1.10' });
  expect(messages).toMatchObject([
    { content: { text: 'No such revision: "v1.10"; similar names are "v1.10.0".' } },
  ]);
  await expect(client.readResource('git://repo/blob/HEAD/src/sever.ts')).rejects.toThrow(
    'similar names are "src/server.ts"',
  );
});

test('the names of a hostile repository are escaped, and its files outside are not named', async () => {
  using workspace = await template.copy();
  await workspace.commit('odd', { 'e\u001b[2Jvil.txt': 'x\n' });
  writeFileSync(join(workspace.outside, 'secret.txt'), 'SECRET');
  const call = await calls(workspace);
  expect(await call('git_add', { files: ['evil.txt'] })).toBe(
    'ERROR No such file: "evil.txt"; similar names are "e\\u{1b}[2Jvil.txt"',
  );
  expect(await call('git_add', { files: ['secret.txt'] })).toBe('ERROR No such file: "secret.txt"');
});

test('of 100,000 branches, the nearest is named', async () => {
  using workspace = await template.copy();
  const head = await workspace.git.revparse('HEAD');
  const refs = Array.from(
    { length: 100_000 },
    (_, index) => `${head} refs/heads/topic-${String(index).padStart(6, '0')}\n`,
  );
  writeFileSync(
    join(workspace.root, '.git/packed-refs'),
    `# pack-refs with: peeled fully-peeled sorted \n${refs.join('')}`,
  );
  const call = await calls(workspace);
  expect(await call('git_checkout', { branch_name: 'topic-99999' })).toMatch(
    /^ERROR No such branch or revision: "topic-99999"; similar names are "topic-099999", /,
  );
});
