import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clear, prepared } from './tool-walk.ts';
import { Workspace } from './workspace.ts';

test('a rebase with an exec step is not continued without --trust', async () => {
  using workspace = await prepared();
  const program = workspace.program();
  await workspace.git.addConfig('core.editor', 'true');
  try {
    await workspace.git.raw([
      '-c',
      `sequence.editor=sh -c 'printf "break\\nexec ${program}\\n" > "$1"' -`,
      'rebase',
      '-i',
      'HEAD~1',
    ]);
  } catch {
    // It stops at the break.
  }
  clear(workspace);
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_integrate', { action: 'continue' })).toBe(
    'ERROR Refused: the remaining steps would run a program, and the repository is not trusted; start the server with --trust to permit it',
  );
  expect(await workspace.callText(client, 'git_integrate', { action: 'skip' })).toContain('Refused');
  expect(await workspace.callText(client, 'git_integrate', { action: 'abort' })).toContain('Done');
  expect(workspace.executed).toEqual([]);
});

test('rebase.instructionFormat adds no step to a rebase', async () => {
  const diverged = async () => {
    const workspace = await Workspace.create({ 'a.txt': 'a\n' });
    await workspace.diverge('other', { 'b.txt': 'b\n' }, { 'c.txt': 'c\n' });
    const program = workspace.program('program', { passOn: false });
    await workspace.git.addConfig('rebase.instructionFormat', `%s%nexec '${program}'%n#`);
    return workspace;
  };
  using workspace = await diverged();
  await using client = await workspace.connect();
  const args = { action: 'rebase', revision: 'other' };
  expect(await workspace.callText(client, 'git_integrate', args)).toContain('Done');
  expect(await workspace.output(['log', '--format=%s'])).toBe('ours\ntheirs\nfirst');
  expect(workspace.executed).toEqual([]);
  using withPlainGit = await diverged();
  await withPlainGit.git.rebase(['other']);
  expect(withPlainGit.executed).toEqual(['program']);
});

test('a series of picks with an unknown strategy is not continued without --trust', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.git.checkoutLocalBranch('other');
  const picks = [
    await workspace.commit('one', { 'a.txt': 'b\n' }),
    await workspace.commit('two', { 'b.txt': 'b\n' }),
  ];
  await workspace.git.checkout('main');
  await workspace.commit('three', { 'a.txt': 'c\n' });
  await expect(workspace.git.raw(['cherry-pick', ...picks])).rejects.toThrow('could not apply');
  // A strategy that git does not have is looked for among the aliases.
  await workspace.git.addConfig('alias.merge-foo', `!'${workspace.program()}'`);
  const options = join(workspace.root, '.git/sequencer/opts');
  await using client = await workspace.connect();
  for (const text of [
    '[options]\n\tstrategy = foo\n',
    '[Options]STRATEGY="f"oo\n',
    '[options]\nstrategy = ort\nstrategy=f\\\noo',
  ]) {
    writeFileSync(options, text);
    for (const action of ['continue', 'skip']) {
      expect(await workspace.callText(client, 'git_integrate', { action }), text).toBe(
        'ERROR Refused: the remaining steps use a strategy that is not built into git, and the repository is not trusted; start the server with --trust to permit it',
      );
    }
  }
  expect(workspace.executed).toEqual([]);
  writeFileSync(options, '[options]\n\tstrategy = ort\n\tstrategy-option = patience\n');
  expect(await workspace.callText(client, 'git_integrate', { action: 'skip' })).toContain('Done');
  expect(workspace.read('b.txt')).toBe('b\n');
});

test('a FIFO in place of the remaining steps is refused at once', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  mkdirSync(join(workspace.root, '.git/sequencer'));
  execFileSync('mkfifo', [join(workspace.root, '.git/sequencer/todo')]);
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_integrate', { action: 'continue' })).toBe(
    'ERROR Not a regular file: "sequencer/todo" of the repository',
  );
});

/** A filter that the configuration has on the branch `evil` only. */
async function filteredOnBranch(workspace: Workspace): Promise<void> {
  const program = workspace.program();
  writeFileSync(
    join(workspace.root, '.git/extra'),
    `[filter "x"]\n\tclean = ${program}\n\tsmudge = ${program}\n`,
  );
  await workspace.git.addConfig('includeIf.onbranch:evil.path', 'extra');
}

test('an autostash is not applied where a filter depends on the branch', async () => {
  const stopped = async () => {
    const workspace = await Workspace.create({
      'a.txt': 'a\n',
      'b.txt': 'b\n',
      '.gitattributes': '* filter=x\n',
    });
    await workspace.git.checkoutLocalBranch('evil');
    await workspace.commit('ours', { 'a.txt': 'ours\n' });
    await workspace.git.checkout('main');
    await workspace.commit('theirs', { 'a.txt': 'theirs\n' });
    await workspace.git.checkout('evil');
    workspace.put('b.txt', 'aside\n');
    await expect(workspace.git.rebase(['--autostash', 'main'])).rejects.toThrow('could not apply');
    await filteredOnBranch(workspace);
    return workspace;
  };
  using workspace = await stopped();
  await using client = await workspace.connect();
  for (const action of ['abort', 'skip', 'continue']) {
    expect(await workspace.callText(client, 'git_integrate', { action })).toBe(
      'ERROR Refused: git would apply an autostash, and configuration is included only on some branches (includeIf.onbranch), and the repository is not trusted; start the server with --trust to permit it',
    );
  }
  expect(workspace.executed).toEqual([]);
  await workspace.git.rebase(['--abort']);
  expect(workspace.executed, 'plain git runs it').toEqual(['program']);
  using withoutFilter = await stopped();
  await withoutFilter.git.raw(['config', '--unset', 'includeIf.onbranch:evil.path']);
  await using other = await withoutFilter.connect();
  expect(await withoutFilter.callText(other, 'git_integrate', { action: 'abort' })).toContain('Done');
  expect(withoutFilter.read('b.txt')).toBe('aside\n');
});

test('a filter configured for a branch does not run when a work tree for it is added', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n', '.gitattributes': '* filter=x\n' });
  await workspace.git.branch(['other']);
  await filteredOnBranch(workspace);
  await using client = await workspace.connect();
  const text = await workspace.callText(client, 'git_worktree', {
    action: 'add',
    path: 'tree',
    branch: 'evil',
  });
  expect(text).toMatch(/tree [0-9a-f]{10} evil\n/);
  expect(workspace.read('tree/a.txt')).toBe('a\n');
  expect(workspace.executed).toEqual([]);
  await workspace.gitAt(join(workspace.root, 'tree')).checkout(['HEAD', '--', 'a.txt']);
  rmSync(join(workspace.root, 'tree/a.txt'));
  await workspace.gitAt(join(workspace.root, 'tree')).checkout(['--', 'a.txt']);
  expect(workspace.executed, 'plain git runs it').toEqual(['program']);
});
