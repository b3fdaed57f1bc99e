import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

/** A repository whose remote has the branches main and old; a local branch old exists too. */
async function withRemote(): Promise<Workspace> {
  const workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.git.checkoutLocalBranch('old');
  await workspace.commit('only on old', { 'old.txt': 'o\n' });
  await workspace.git.checkout('main');
  await workspace.gitAt(workspace.allowed).clone(workspace.root, 'origin.git', ['--bare']);
  await workspace.git.addRemote('origin', `file://${workspace.allowed}/origin.git`);
  await workspace.git.fetch('origin');
  return workspace;
}

const bare = (workspace: Workspace) => join(workspace.allowed, 'origin.git');
const remoteBranches = (workspace: Workspace) =>
  workspace.output(['for-each-ref', '--format=%(refname:short)', 'refs/heads'], {
    directory: bare(workspace),
  });

test('git_push with delete deletes a branch of the remote, and says how to restore it', async () => {
  using workspace = await withRemote();
  await using client = await workspace.connect({ allowRemote: true, directories: [workspace.allowed] });
  const call = (tool: string, args: object) =>
    workspace.callText(client, tool, { repo_path: workspace.root, ...args });
  const hash = await workspace.git.revparse('old');
  const short = hash.slice(0, 10);
  expect(await call('git_push', { branch: 'old', delete: true })).toBe(
    `Deleted origin/old, which was at ${short}; git_create_branch at ${short} and git_push restore it`,
  );
  expect(await remoteBranches(workspace)).toBe('main');
  expect(await workspace.output(['for-each-ref', 'refs/remotes/origin/old'])).toBe('');
  expect(await workspace.output(['rev-parse', 'old'])).toBe(hash);

  await workspace.git.raw(['branch', '-D', 'old']);
  await call('git_create_branch', { branch_name: 'old', base_branch: short });
  await call('git_push', { branch: 'old' });
  expect(await workspace.output(['rev-parse', 'old'], { directory: bare(workspace) })).toBe(hash);
});

test('git_push deletes no branch that has moved, is not known, or was not named', async () => {
  using workspace = await withRemote();
  await using client = await workspace.connect({ allowRemote: true, directories: [workspace.allowed] });
  const call = (args: object) =>
    workspace.callText(client, 'git_push', { repo_path: workspace.root, delete: true, ...args });
  expect(await call({})).toBe('ERROR Missing branch: name the branch to delete on the remote');
  for (const name of ['force', 'set_upstream', 'tags'])
    expect(await call({ branch: 'old', [name]: true })).toBe(
      'ERROR Invalid arguments: delete takes no force, set_upstream or tags',
    );
  expect(await call({ branch: 'olt' })).toBe(
    'ERROR No such branch of the remote "origin": "olt"; similar names are "old"; a fetch finds new branches',
  );
  await workspace.gitAt(bare(workspace)).raw(['update-ref', 'refs/heads/old', 'main']);
  expect(await call({ branch: 'old' })).toBe(
    'ERROR Rejected: the remote branch has moved since it was last fetched; fetch it and look at its commits first',
  );
  expect(await remoteBranches(workspace)).toBe('main\nold');
});

test('the deletion of a remote branch is asked first', async () => {
  using workspace = await withRemote();
  const questions: string[] = [];
  await using client = await workspace.connect({
    allowRemote: true,
    directories: [workspace.allowed],
    elicit: async ({ message }: { message: string }) => {
      questions.push(message.replaceAll(workspace.base, ''));
      return { action: 'decline' };
    },
  } as never);
  const args = { repo_path: workspace.root, branch: 'old', delete: true };
  expect(await workspace.callText(client, 'git_push', args)).not.toContain('Deleted');
  expect(questions).toEqual(['Delete the branch "old" on the remote "origin" of /allowed/repo?']);
  expect(await remoteBranches(workspace)).toBe('main\nold');
});

test('the name of a remote branch does not invite to delete the local one', async () => {
  using workspace = await withRemote();
  await using client = await workspace.connect({ allowRemote: true, directories: [workspace.allowed] });
  const args = { repo_path: workspace.root, branch_name: ['main', 'origin/old'], force: true };
  const advice = 'a push with delete and the branch "old" deletes it on the remote "origin"';
  expect(await workspace.callText(client, 'git_delete_branch', args)).toBe(
    `ERROR Not a local branch: "origin/old"; ${advice}`,
  );
  for (const [tool, others] of [
    ['git_push', { branch: 'origin/old' }],
    ['git_create_branch', { branch_name: 'new', rename: 'origin/olt' }],
  ] as const)
    expect(await workspace.callText(client, tool, { repo_path: workspace.root, ...others })).toMatch(
      /^ERROR No such branch: "origin\/ol[dt]"; "origin" is a remote, and only local branches are accepted$/,
    );
  await workspace.git.branch(['origin/kept', 'main']);
  const kept = { repo_path: workspace.root, branch_name: 'origin/kept' };
  expect(await workspace.callText(client, 'git_delete_branch', kept)).toMatch(/^Deleted 1 branch/);
});
