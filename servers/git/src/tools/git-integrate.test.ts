import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

/** A repository in which the branches `topic` and `main` have diverged by one commit each. */
async function diverged(theirs: Record<string, string>): Promise<Workspace> {
  const workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.diverge('topic', theirs, { 'a.txt': 'ours\n' });
  return workspace;
}

test('git_integrate merges, rebases, cherry-picks and reverts', async () => {
  using workspace = await diverged({ 'b.txt': 'b\n' });
  await using client = await workspace.connect();
  const start = await workspace.git.revparse('HEAD');
  const integrate = async (args: Record<string, unknown>) => {
    const text = await workspace.callText(client, 'git_integrate', args);
    return [
      text.split(';')[0],
      ...(await workspace.output(['log', '--first-parent', '--format=%s'])).split('\n'),
    ];
  };
  const back = () => workspace.git.reset(['--hard', start]);
  expect(await integrate({ action: 'merge', revision: 'topic' })).toEqual([
    'Done',
    "Merge branch 'topic'",
    'ours',
    'first',
  ]);
  expect(await integrate({ action: 'merge', revision: 'topic' })).toContain('Nothing to do');
  await back();
  expect(await integrate({ action: 'rebase', revision: 'topic' })).toEqual([
    'Done',
    'ours',
    'theirs',
    'first',
  ]);
  await back();
  expect(await integrate({ action: 'cherry-pick', revision: 'topic' })).toEqual([
    'Done',
    'theirs',
    'ours',
    'first',
  ]);
  await back();
  expect(await integrate({ action: 'revert', revision: 'HEAD' })).toEqual([
    'Done',
    'Revert "ours"',
    'ours',
    'first',
  ]);
});

test('git_integrate stops at conflicts, names them, and continues when they are resolved', async () => {
  using workspace = await diverged({ 'a.txt': 'theirs\n' });
  await using client = await workspace.connect();
  const head = await workspace.git.revparse(['--short=10', 'HEAD']);
  expect(await workspace.callText(client, 'git_integrate', { action: 'merge', revision: 'topic' })).toBe(
    [
      `Stopped: the merge is in progress, with 1 conflict; main is at ${head}`,
      'UU a.txt',
      'Resolve and stage these, or restore one side of them (ours is this branch, theirs the merged one); then continue; or abort',
    ].join('\n'),
  );
  expect(await workspace.callText(client, 'git_integrate', { action: 'continue' })).toBe(
    'ERROR There are unresolved conflicts: resolve them first',
  );
  expect(await workspace.callText(client, 'git_integrate', { action: 'merge', revision: 'topic' })).toBe(
    'ERROR A merge is in progress: continue or abort it first',
  );
  workspace.put('a.txt', 'both\n');
  await client.callTool('git_add', { files: ['a.txt'] });
  expect(await workspace.callText(client, 'git_integrate', { action: 'continue' })).toMatch(
    /^Done; main is at /,
  );
  expect(await workspace.output(['log', '-1', '--format=%s'])).toBe("Merge branch 'topic'");
});

test('git_integrate refuses a missing or unknown revision and local changes, and changes nothing', async () => {
  using workspace = await diverged({ 'a.txt': 'theirs\n' });
  await using client = await workspace.connect();
  const before = await workspace.state();
  const integrate = (args: object) => workspace.callText(client, 'git_integrate', { ...args });
  expect(await integrate({ action: 'merge' })).toBe('ERROR Missing revision to merge');
  expect(await integrate({ action: 'merge', revision: ['side', 'main'] })).toBe(
    'ERROR Invalid revision: merge takes one revision, not 2',
  );
  expect(await integrate({ action: 'merge', revision: ['missing'] })).toBe(
    'ERROR No such revision: "missing"',
  );
  expect(await integrate({ action: 'abort' })).toBe(
    'ERROR Nothing to abort: no merge, rebase, cherry-pick or revert is in progress',
  );
  expect(await integrate({ action: 'merge', revision: 'topic', fast_forward: 'only' })).toBe(
    'ERROR Not a fast-forward: the branches have diverged; merge or rebase instead',
  );
  for (const action of ['merge', 'rebase', 'cherry-pick', 'revert'])
    expect(await integrate({ action, revision: 'nowhere' }), action).toBe(
      'ERROR No such revision: "nowhere"',
    );
  expect(await workspace.state()).toBe(before);
  workspace.put('a.txt', 'changed\n');
  for (const action of ['merge', 'rebase', 'cherry-pick', 'revert'])
    expect(await integrate({ action, revision: 'topic' }), action).toMatch(
      /^ERROR Local changes would be overwritten: commit|^ERROR There are local changes: commit/,
    );
  expect(workspace.read('a.txt')).toBe('changed\n');
});

test('several picks of which one is refused leave no operation in progress, and all local changes', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n', 'kept.txt': 'kept\n' });
  await workspace.git.checkoutLocalBranch('topic');
  await workspace.commit('one', { 'one.txt': '1\n' });
  await workspace.commit('two', { 'two.txt': '2\n' });
  await workspace.git.checkout('main');
  workspace.put('kept.txt', 'changed\n');
  workspace.put('two.txt', 'own\n');
  await using client = await workspace.connect();
  const picks = { action: 'cherry-pick', revision: 'main..topic' };
  for (const stage of [[], ['kept.txt']]) {
    if (stage.length > 0) await workspace.git.add(stage);
    const before = await workspace.state();
    expect(await workspace.callText(client, 'git_integrate', picks)).toMatch(
      /^ERROR .* would be overwritten/,
    );
    expect(await workspace.state()).toBe(before);
    expect((await workspace.status(client)).operation).toBeUndefined();
  }
  expect([workspace.read('kept.txt'), workspace.read('two.txt')]).toEqual(['changed\n', 'own\n']);
});

test('an aborted rebase names the commits that it has made, and not those of the upstream', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.git.checkoutLocalBranch('topic');
  await workspace.commit('one', { 'one.txt': '1\n' });
  const tip = await workspace.commit('two', { 'a.txt': 'two\n' });
  await workspace.git.checkout('main');
  await workspace.commit('ours', { 'a.txt': 'ours\n' });
  await workspace.git.checkout('topic');
  await using client = await workspace.connect();
  const integrate = (args: object) => workspace.callText(client, 'git_integrate', { ...args });
  expect(await integrate({ action: 'rebase', revision: 'main' })).toMatch(/^Stopped/);
  const made = await workspace.git.revparse('HEAD');
  expect(await integrate({ action: 'abort' })).toBe(
    `Done; topic is at ${(await workspace.git.revparse(tip)).slice(0, 10)}; the commits made until then end at ${made.slice(0, 10)}: git_create_branch with base_branch ${made.slice(0, 10)} keeps them`,
  );
  await workspace.git.raw(['reset', '-q', '--soft', 'HEAD~1']);
  await workspace.git.commit('only this');
  await workspace.git.raw(['branch', '-q', '-D', 'topic']).catch(() => {});
  await workspace.git.reset(['-q', '--hard', tip]);
  await workspace.git.raw(['rebase', '--onto', 'main', `${tip}~1`]).catch(() => {});
  expect(await integrate({ action: 'abort' })).toMatch(/^Done; topic is at \w+$/);
});
