import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@mcp/protocol/client';
import { spawnServer } from '@mcp/protocol/stdio';
import { everyFault, Faults, noCompiler } from '@mcp/test-kit';
import { expect, test, vi } from 'vitest';
import { Workspace } from './workspace.ts';

// It repeats each change for each call that may fail.
vi.setConfig({ testTimeout: 300_000 });

const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));
const { EIO } = constants.errno;
const depth = 2 * Number(process.env['GENERATED_TIMES'] ?? 1);

/** Changes, each with the subject of HEAD after it. */
const changes = [
  { tool: 'git_add', args: { files: ['c.txt'] }, head: 'second' },
  { tool: 'git_commit', args: { message: 'new' }, head: 'new' },
  { tool: 'git_checkout', args: { branch: 'other' }, head: 'third' },
  { tool: 'git_reset', args: { mode: 'hard', revision: 'HEAD~1' }, head: 'first' },
  { tool: 'git_stash', args: { action: 'save' }, head: 'second' },
];

/** A repository with a branch, a staged file, and a change of it that is not staged. */
async function prepared(): Promise<Workspace> {
  const workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.commit('second', { 'a.txt': 'b\n' });
  await workspace.git.checkoutLocalBranch('other');
  await workspace.commit('third', { 'b.txt': 'b\n' });
  await workspace.git.checkout('main');
  workspace.put('c.txt', 'staged\n');
  await workspace.git.add('c.txt');
  workspace.put('c.txt', 'changed\n');
  return workspace;
}

test('whatever call fails, in the server or in git, no work is lost and the answer is true', async (context) => {
  using workspace = await prepared();
  using faults = Faults.compile(workspace.base, workspace.root);
  if (!faults) return context.skip(noCompiler);
  const { root } = workspace;
  const template = join(workspace.base, 'template');
  cpSync(root, template, { recursive: true, preserveTimestamps: true });
  const server = spawnServer({
    command: process.execPath,
    args: [program, root],
    env: { ...workspace.environment, ...faults.env },
  });
  await using client = await Client.connect(server.channel);
  // Without its repository the server ends, as it should: it has read that before the first fault.
  await workspace.callText(client, 'git_status', {});
  const count = { refused: 0, done: 0 };
  for (const { tool, args, head } of changes)
    await everyFault([EIO], depth, async (fault) => {
      for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true });
      cpSync(template, root, { recursive: true, preserveTimestamps: true });
      const { result: said, occurred } = await faults.during(fault, () =>
        workspace.callText(client, tool, args),
      );
      if (!occurred) return false;
      const what = `${tool} with ${JSON.stringify(fault)}: ${said}`;
      const isRefused = said.startsWith('ERROR');
      expect(await workspace.output(['log', '-1', '--format=%s']), what).toBe(isRefused ? 'second' : head);
      // What is no longer in the work tree is in the commit that the answer names.
      const [, kept] = /commit ([0-9a-f]{10})|^0: ([0-9a-f]{10})/m.exec(said)?.filter(Boolean) ?? [];
      const isKept = !isRefused && kept !== undefined;
      const work = isKept
        ? await workspace.output(['show', `${kept}:c.txt`])
        : readFileSync(join(root, 'c.txt'), 'utf8').trimEnd();
      expect(work, what).toBe('changed');
      expect(await workspace.output(['fsck', '--strict', '--no-dangling']), what).toBe('');
      const locks = readdirSync(join(root, '.git')).filter((name) => name.endsWith('.lock'));
      expect(locks, what).toEqual([]);
      count[isRefused ? 'refused' : 'done']++;
      return true;
    });
  expect(count.refused).toBeGreaterThan(40);
  expect(count.done).toBeGreaterThan(30);
});
