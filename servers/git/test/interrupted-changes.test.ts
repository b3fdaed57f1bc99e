import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Workspace, WorkspaceTemplate } from './workspace.ts';

/** Three commits, two merged branches, something staged and something not, and a conflicting branch. */
const template = new WorkspaceTemplate({ 'a.txt': 'one\ntwo\n', 'b.txt': 'b\n' }, async (workspace) => {
  await workspace.git.checkoutLocalBranch('conflicting');
  await workspace.commit('theirs', { 'b.txt': 'theirs\n' });
  await workspace.git.checkout('main');
  await workspace.commit('second', { 'b.txt': '2\n' });
  await workspace.git.branch(['merged-1']);
  await workspace.git.branch(['merged-2']);
  await workspace.git.branch(['--set-upstream-to=main', 'merged-2']);
  await workspace.commit('third', { 'b.txt': '3\n' });
});

/** The state that may not change: also HEAD, and every file apart from the labels of conflicts. */
async function everything(workspace: Workspace): Promise<string> {
  const parts = [
    ['rev-parse', 'HEAD', 'ORIG_HEAD'],
    ['symbolic-ref', 'HEAD'],
    ['ls-files', '--stage'],
  ];
  const printed = await Promise.all(parts.map((args) => workspace.output(args).catch(() => '')));
  return [await workspace.state(), ...printed, workspace.read('a.txt'), workspace.read('b.txt')]
    .join('\n')
    .replaceAll(/^(<{7}|>{7}) .*$/gm, '$1');
}

interface Interrupted {
  readonly what: string;
  /** The command that hangs, once it has done its work. */
  readonly command: string;
  readonly tool: string;
  readonly args: (workspace: Workspace) => Promise<object> | object;
  readonly prepare?: (workspace: Workspace) => Promise<unknown>;
}

const staging: Pick<Interrupted, 'tool' | 'args'> = {
  tool: 'git_add',
  args: async (workspace) => {
    const hash = (text: string) => workspace.output(['hash-object', '--stdin'], { input: text });
    const index = `${await hash('one\ntwo\n')}..${await hash('one\ntwo\nthree\n')}`;
    return { files: ['a.txt'], lines: ['+3'], index };
  },
};

const stopMerge = async (workspace: Workspace) => {
  await workspace.git.checkout(['--', 'a.txt']);
  await expect(workspace.git.merge(['conflicting'])).rejects.toThrow('CONFLICT');
};

const reword = { tool: 'git_commit', args: () => ({ message: 'x', reword: 'HEAD~1' }) };
const fixup = {
  tool: 'git_commit',
  args: () => ({ fixup: 'HEAD~1' }),
  prepare: (workspace: Workspace) => workspace.git.add('a.txt'),
};
const squash = { tool: 'git_commit', args: () => ({ message: 'x', squash: 'HEAD~2' }) };
const side = { tool: 'git_restore', args: () => ({ paths: ['b.txt'], side: 'theirs' }), prepare: stopMerge };

const branch = (args: object) => ({ command: 'branch', tool: 'git_create_branch', args: () => args });

const interrupted: readonly Interrupted[] = [
  { what: 'a new branch', ...branch({ branch_name: 'new' }) },
  { what: 'a moved branch', ...branch({ branch_name: 'merged-1', base_branch: 'main', move: true }) },
  { what: 'a renamed branch', ...branch({ branch_name: 'new', rename: 'merged-1' }) },
  { what: 'a new upstream', ...branch({ branch_name: 'merged-1', upstream: 'main' }) },
  { what: 'a removed upstream', ...branch({ branch_name: 'merged-2', upstream: '' }) },
  { what: 'a reword whose commits are written', command: 'hash-object', ...reword },
  { what: 'a reword that has moved HEAD', command: 'update-ref', ...reword },
  { what: 'a fixup whose tree is read', command: 'read-tree', ...fixup },
  { what: 'a fixup that has moved HEAD', command: 'update-ref', ...fixup },
  { what: 'a squash that has moved HEAD back', command: 'update-ref', ...squash },
  { what: 'a squash that has committed', command: 'commit', ...squash },
  { what: 'a staging of lines that is done', command: 'apply', ...staging },
  { what: 'a side that is written to the file', command: 'checkout', ...side },
  { what: 'a side that is staged', command: 'add', ...side },
  {
    what: 'a deletion of branches that are gone',
    command: 'branch',
    tool: 'git_delete_branch',
    args: () => ({ merged: true }),
  },
];

test.each(interrupted)(
  '$what is undone when the call is cancelled',
  async ({ command, tool, args, prepare }) => {
    using workspace = await template.copy();
    workspace.put('a.txt', 'one\ntwo\nthree\n');
    await prepare?.(workspace);
    const given = await args(workspace);
    const before = await everything(workspace);
    const hang = `if [ "$1" = ${command} ] && mkdir '${workspace.marks}/once' 2>/dev/null; then
  "$git" "$@"
  touch '${workspace.marks}/started'
  while :; do sleep 0.05; done
fi`;
    await using client = await workspace.connect({ environment: { PATH: workspace.wrapGit(hang) } });
    const stop = new AbortController();
    const started = workspace.started();
    const call = client.callTool(tool, { ...given }, { signal: stop.signal });
    await started;
    stop.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    rmSync(join(workspace.marks, 'started'));
    // A write waits for the one before it.
    await client.callTool('git_tag', { action: 'create', name: 'after' });
    await workspace.git.tag(['--delete', 'after']);
    expect(await everything(workspace)).toBe(before);
  },
);
