import { readdirSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { kill } from 'node:process';
import { Client } from '@mcp/protocol/testing';
import { expect, test, vi } from 'vitest';
import { startProgram } from './program.ts';
import { type Workspace, WorkspaceTemplate } from './workspace.ts';

const files = (content: string, count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`d${index % 5}/f${index}.txt`, `${content}\n`]),
  );

const template = new WorkspaceTemplate(
  { ...files('base', 60), 'shared.txt': 'a\nb\nc\nd\ne\nf\n', 'kept.txt': 'kept\n' },
  async (workspace) => {
    const { git } = workspace;
    await git.checkoutLocalBranch('other');
    for (let index = 0; index < 4; index++)
      await workspace.commit(`other ${index}`, {
        ...files(`other ${index}`, 30),
        [`new/n${index}.txt`]: `new ${index}\n`,
      });
    await workspace.commit('other, at the top', { 'shared.txt': 'A\nb\nc\nd\ne\nf\n' });
    await git.checkout('main');
    for (let index = 0; index < 4; index++)
      await workspace.commit(`main ${index}`, { [`ours/m${index}.txt`]: `main ${index}\n` });
    await workspace.commit('main, at the end', { 'shared.txt': 'a\nb\nc\nd\ne\nF\n' });
    await git.raw(['branch', 'ahead']);
    await git.checkout('ahead');
    await workspace.commit('ahead', files('ahead', 50));
    await git.checkout('main');
    await git.raw(['pack-refs', '--all']);
    // A packed repository has few files to copy.
    await git.raw(['repack', '-adq']);
  },
);

interface Change {
  readonly what: string;
  readonly tool: string;
  readonly args: object;
}

const operations: readonly Change[] = [
  { action: 'rebase', revision: 'other' },
  { action: 'merge', revision: 'other' },
  { action: 'merge', revision: 'ahead' },
  { action: 'cherry-pick', revision: 'main..other' },
  { action: 'revert', revision: 'HEAD~4..HEAD' },
].map((args) => ({ what: `a ${args.action} of ${args.revision}`, tool: 'git_integrate', args }));

const checkouts: readonly Change[] = [
  { what: 'a checkout', tool: 'git_checkout', args: { branch_name: 'other' } },
  {
    what: 'a checkout of a new branch',
    tool: 'git_create_branch',
    args: { branch_name: 'new', base_branch: 'other', checkout: true },
  },
  { what: 'a reset that keeps changes', tool: 'git_reset', args: { mode: 'keep', revision: 'other' } },
];

/** Everything that an operation may change. */
async function snapshot(workspace: Workspace): Promise<string> {
  const { root } = workspace;
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  const inWorkTree = paths.filter((path) => !path.startsWith('.git/'));
  const left = paths.filter((path) =>
    /^\.git\/(.*\.lock|MERGE_.*|CHERRY_PICK_HEAD|REVERT_HEAD|AUTO_MERGE|(rebase|sequencer|mcp-).*)$/.test(
      path,
    ),
  );
  const printed = await Promise.all([
    workspace.output(['for-each-ref', 'refs/heads', 'refs/tags', 'refs/stash']),
    // With HEAD, the hashes of what has changed are those of the whole index.
    workspace.output(['status', '--porcelain=v2', '--untracked-files=all']),
  ]);
  return [
    read('.git/HEAD'),
    ...printed,
    ...left.toSorted(),
    ...inWorkTree.toSorted().map((path) => `${path}: ${read(path)}`),
  ].join('\n');
}

/** Makes a call; resolves when it has ended, or something below the repository has changed so many times. */
async function untilChange(workspace: Workspace, n: number, call: () => Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let changes = 0;
  const watcher = watch(workspace.root, { recursive: true }, () => ++changes >= n && resolve());
  await Promise.race([promise, call()]);
  watcher.close();
}

/** They find the git processes of a server among the files of processes, which Linux has. */
const withProcesses = test.skipIf(process.platform !== 'linux');

/** The running git processes that a process has started, without their children. */
function gitChildren(parent = process.pid): number[] {
  return childrenOf(parent, 'git');
}

function childrenOf(parent: number, program?: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const [, comm, ppid] = /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? [];
        return Number(ppid) === parent && (program === undefined || comm === program);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/**
 * Waits until the server has finished its work for a call: this call waits for the same lock,
 * and changes nothing.
 */
async function settled(workspace: Workspace, client: Client) {
  expect(await workspace.callText(client, 'git_integrate', { action: 'continue' })).toMatch(
    /^ERROR Nothing to continue/,
  );
}

const times = Number(process.env['GENERATED_TIMES'] ?? 1);

/** Numbers of changes in the directory; with GENERATED_TIMES also those that follow them. */
const momentsOfCancel = [2, 13, 55];
const momentsOfKill = [9, 34];
const atMoments = (changes: readonly Change[], moments: readonly number[]) =>
  changes.flatMap((change) =>
    moments.flatMap((n) => Array.from({ length: times }, (_, round) => ({ ...change, n: n + round }))),
  );

test.each(atMoments([...operations, ...checkouts], momentsOfCancel))(
  '$what that is cancelled at change $n is undone',
  async ({ tool, args, n }) => {
    using workspace = await template.copy();
    if (!JSON.stringify(args).includes('rebase')) workspace.put('kept.txt', 'changed\n');
    workspace.put('own.txt', 'own\n');
    await using client = await workspace.connect();
    const before = await snapshot(workspace);
    const stop = new AbortController();
    let answer: Promise<unknown> | undefined;
    await untilChange(
      workspace,
      n,
      () => (answer = client.callTool(tool, { ...args }, { signal: stop.signal }).catch(() => undefined)),
    );
    stop.abort(new Error('enough'));
    if ((await answer) === undefined) await expectUnchanged(workspace, client, before);
  },
);

withProcesses.each(atMoments([...operations, ...checkouts], momentsOfKill))(
  '$what whose git is killed at change $n is undone',
  async ({ tool, args, n }) => {
    using workspace = await template.copy();
    workspace.put('own.txt', 'own\n');
    await using client = await workspace.connect();
    const before = await snapshot(workspace);
    let call = Promise.resolve('');
    await untilChange(workspace, n, () => (call = workspace.callText(client, tool, { ...args })));
    for (const pid of gitChildren()) kill(pid, 'SIGKILL');
    const answer = await call;
    if (answer.startsWith('ERROR')) await expectUnchanged(workspace, client, before, answer);
  },
);

withProcesses.each(atMoments(operations, momentsOfKill))(
  '$what whose server is killed at change $n can be undone',
  async ({ tool, args, n }) => {
    using workspace = await template.copy();
    workspace.put('own.txt', 'own\n');
    const before = await snapshot(workspace);
    const server = startProgram(workspace, [workspace.root]);
    const client = await Client.connect(server.channel);
    await client.callTool('git_status');
    let call: Promise<unknown> | undefined;
    await untilChange(workspace, n, () => (call = client.callTool(tool, { ...args }).catch(() => undefined)));
    const running = gitChildren(server.child.pid);
    server.child.kill('SIGKILL');
    for (const pid of running) killGroup(pid);
    await server.exited;
    await vi.waitFor(() => expect(workspace.processes).toEqual([]), { timeout: 8_000 });
    if ((await call) !== undefined) return;

    await using next = await workspace.connect();
    const told = await workspace.callText(next, 'git_status');
    // Complete, with or without the time to delete its record before the answer was sent.
    const isComplete =
      /^Interrupted: .*HEAD was main at \w+ and is main at \w+$/m.test(told) ||
      /^On main at \w+\nChanged files: 1\n\?\? own.txt$/.test(told);
    const answer = /aborting it undoes/.test(told)
      ? await workspace.callText(next, 'git_integrate', { action: 'abort' })
      : '';
    await settled(workspace, next);
    const after = await snapshot(workspace);
    if (isComplete && !/\.git\/.*(lock|mcp-server)/.test(after)) return;
    expect(difference(before, after), `${told}\n${answer}`).toBe('');
  },
);

async function expectUnchanged(workspace: Workspace, client: Client, before: string, answer = '') {
  await settled(workspace, client);
  const changes = difference(before, await snapshot(workspace));
  if (changes !== '') expect.fail(`${answer}\n${await workspace.callText(client, 'git_status')}\n${changes}`);
}

function killGroup(pid: number): void {
  try {
    kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

test('what a cancelled operation could not undo is told by git_status, once', async () => {
  using workspace = await template.copy();
  const hang = `if [ "$1" = merge ]; then
  echo 'of another program' > kept.txt
  touch '${workspace.marks}/started'
  while :; do sleep 0.05; done
fi`;
  await using client = await workspace.connect({ environment: { PATH: workspace.wrapGit(hang) } });
  const stop = new AbortController();
  const started = workspace.started();
  const args = { action: 'merge', revision: 'other' };
  const call = client.callTool('git_integrate', args, { signal: stop.signal });
  await started;
  stop.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
  await settled(workspace, client);
  expect(workspace.read('kept.txt')).toBe('of another program\n');
  const status = () => workspace.callText(client, 'git_status');
  expect(await status()).toMatch(/\nInterrupted: a merge; changed files: kept.txt$/);
  expect(await status()).not.toContain('Interrupted');
});

withProcesses('a lock file is removed only if a server has left it which was killed', async () => {
  using workspace = await template.copy();
  const { root } = workspace;
  const add = async () => {
    await using client = await workspace.connect();
    return await workspace.callText(client, 'git_add', { files: ['kept.txt'] });
  };
  workspace.put('kept.txt', 'changed\n');
  const hang = `if [ "$1" = add ]; then
  trap '' TERM
  touch .git/index.lock '${workspace.marks}/started'
  while :; do sleep 0.05; done
fi`;
  workspace.environment['PATH'] = workspace.wrapGit(hang);
  const server = startProgram(workspace, [root]);
  const client = await Client.connect(server.channel);
  const started = workspace.started();
  client.callTool('git_add', { files: ['kept.txt'] }).catch(() => {});
  await started;
  workspace.environment['PATH'] = process.env['PATH']!;
  expect(await add()).toContain('ERROR Another git process is running');
  const running = childrenOf(server.child.pid!);
  server.child.kill('SIGKILL');
  for (const pid of running) killGroup(pid);
  await server.exited;
  await vi.waitFor(() => expect(workspace.processes).toEqual([]), { timeout: 8_000 });
  expect(await add()).toMatch(/^Staged 1 file/);
  workspace.put('.git/index.lock', '');
  expect(await add()).toContain('ERROR Another git process is running');
});

function difference(before: string, after: string): string {
  const [old, now] = [before, after].map((text) => new Set(text.split('\n')));
  return [
    ...[...old!].filter((line) => !now!.has(line)).map((line) => `- ${line}`),
    ...[...now!].filter((line) => !old!.has(line)).map((line) => `+ ${line}`),
  ]
    .slice(0, 12)
    .join('\n');
}
