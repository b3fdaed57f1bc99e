import { existsSync, readdirSync, truncateSync, watch } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@mcp/protocol/testing';
import { expect, test, vi } from 'vitest';
import { startProgram } from './program.ts';
import { Workspace } from './workspace.ts';

/**
 * Calls a tool of the built program, kills the program when something is created in `directory`, and waits
 * for its end.
 */
async function killDuring(
  workspace: Workspace,
  { args = [], tool, input }: { args?: string[]; tool: string; input: Record<string, unknown> },
  directory: string,
): Promise<void> {
  const server = startProgram(workspace, [...args, workspace.root]);
  const client = await Client.connect(server.channel);
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const watcher = watch(directory, () => resolve());
  client.callTool(tool, input).catch(() => {});
  await begun;
  watcher.close();
  server.child.kill('SIGKILL');
  await server.exited;
}

test('git add ends with a server that is killed, and leaves neither a lock nor staged files', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  // A sparse file, which git takes minutes to read.
  workspace.put('large', '');
  truncateSync(join(workspace.root, 'large'), 64 * 2 ** 30);
  const lock = join(workspace.root, '.git/index.lock');
  // The pack to which git writes a large file while it holds the lock.
  const packs = join(workspace.root, '.git/objects/pack');
  await killDuring(workspace, { tool: 'git_add', input: { files: ['large'] } }, packs);
  await vi.waitFor(() => expect(existsSync(lock)).toBe(false), { timeout: 8_000 });
  expect((await workspace.git.status()).not_added).toEqual(['large']);
});

test.each([
  { obeys: 'obeys', trap: '' },
  { obeys: 'ignores', trap: "trap '' TERM;" },
])('a hook that $obeys SIGTERM ends with a server that is killed', async ({ trap }) => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  workspace.hook(
    'pre-commit',
    `${trap} exec sh -c 'touch "$0/begun"; while :; do sleep 0.1; done' '${workspace.marks}'`,
  );
  await killDuring(
    workspace,
    { args: ['--trust'], tool: 'git_commit', input: { message: 'm', allow_empty: true } },
    workspace.marks,
  );
  await vi.waitFor(() => expect(workspace.processes).toEqual([]), { timeout: 8_000 });
  expect(readdirSync(join(workspace.root, '.git')).filter((name) => name.endsWith('.lock'))).toEqual([]);
});

test('a read that prints nothing ends with a server that is killed', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  workspace.environment['PATH'] = workspace.wrapGit(
    `case "$1" in log) sleep 1; touch '${workspace.marks}/begun'; while :; do sleep 0.1; done;; esac`,
  );
  await killDuring(workspace, { tool: 'git_log', input: {} }, workspace.marks);
  await vi.waitFor(() => expect(workspace.processes).toEqual([]), { timeout: 8_000 });
});
