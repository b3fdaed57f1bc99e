import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clear, prepared } from './tool-walk.ts';
import { Workspace } from './workspace.ts';

test('a rebase with an exec step is not continued without --trust', async () => {
  using workspace = prepared();
  const program = workspace.program();
  workspace.git('config', 'core.editor', 'true');
  try {
    workspace.git(
      '-c',
      `sequence.editor=sh -c 'printf "break\\nexec ${program}\\n" > "$1"' -`,
      'rebase',
      '-i',
      'HEAD~1',
    );
  } catch {
    // It stops at the break.
  }
  clear(workspace);
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'git_integrate', { action: 'continue' })).toBe(
    'ERROR Refused: the remaining steps would run a program; --trust permits it',
  );
  expect(await workspace.say(client, 'git_integrate', { action: 'skip' })).toContain('Refused');
  expect(await workspace.say(client, 'git_integrate', { action: 'abort' })).toContain('Done');
  expect(workspace.run).toEqual([]);
});

test('rebase.instructionFormat adds no step to a rebase', async () => {
  const diverged = () => {
    const workspace = new Workspace({ 'a.txt': 'a\n' });
    workspace.git('checkout', '-qb', 'other');
    workspace.commit('theirs', { 'b.txt': 'b\n' });
    workspace.git('checkout', '-q', 'main');
    workspace.commit('ours', { 'c.txt': 'c\n' });
    const program = workspace.program('program', { passOn: false });
    workspace.git('config', 'rebase.instructionFormat', `%s%nexec '${program}'%n#`);
    return workspace;
  };
  using workspace = diverged();
  await using client = await workspace.connect();
  const args = { action: 'rebase', revision: 'other' };
  expect(await workspace.say(client, 'git_integrate', args)).toContain('Done');
  expect(workspace.git('log', '--format=%s')).toBe('ours\ntheirs\nfirst');
  expect(workspace.run).toEqual([]);
  using fallen = diverged();
  fallen.git('rebase', '-q', 'other');
  expect(fallen.run).toEqual(['program']);
});

test('a series of picks with an unknown strategy is not continued without --trust', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  workspace.git('checkout', '-qb', 'other');
  const picks = [workspace.commit('one', { 'a.txt': 'b\n' }), workspace.commit('two', { 'b.txt': 'b\n' })];
  workspace.git('checkout', '-q', 'main');
  workspace.commit('three', { 'a.txt': 'c\n' });
  expect(() => workspace.git('cherry-pick', ...picks)).toThrow('could not apply');
  // A strategy that git does not have is looked for among the aliases.
  workspace.git('config', 'alias.merge-foo', `!'${workspace.program()}'`);
  const options = join(workspace.root, '.git/sequencer/opts');
  await using client = await workspace.connect();
  for (const text of [
    '[options]\n\tstrategy = foo\n',
    '[Options]STRATEGY="f"oo\n',
    '[options]\nstrategy = ort\nstrategy=f\\\noo',
  ]) {
    writeFileSync(options, text);
    for (const action of ['continue', 'skip']) {
      expect(await workspace.say(client, 'git_integrate', { action }), text).toBe(
        'ERROR Refused: the remaining steps use a strategy that is not built into git',
      );
    }
  }
  expect(workspace.run).toEqual([]);
  writeFileSync(options, '[options]\n\tstrategy = ort\n\tstrategy-option = patience\n');
  expect(await workspace.say(client, 'git_integrate', { action: 'skip' })).toContain('Done');
  expect(workspace.read('b.txt')).toBe('b\n');
});

test('a FIFO in place of the remaining steps is refused at once', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  mkdirSync(join(workspace.root, '.git/sequencer'));
  execFileSync('mkfifo', [join(workspace.root, '.git/sequencer/todo')]);
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'git_integrate', { action: 'continue' })).toBe(
    'ERROR Not a regular file: "sequencer/todo" of the repository',
  );
});

/** A filter that the configuration has on the branch `evil` only. */
function filteredOnBranch(workspace: Workspace): void {
  const program = workspace.program();
  writeFileSync(
    join(workspace.root, '.git/extra'),
    `[filter "x"]\n\tclean = ${program}\n\tsmudge = ${program}\n`,
  );
  workspace.git('config', 'includeIf.onbranch:evil.path', 'extra');
}

test('an autostash is not applied where a filter depends on the branch', async () => {
  const stopped = () => {
    const workspace = new Workspace({ 'a.txt': 'a\n', 'b.txt': 'b\n', '.gitattributes': '* filter=x\n' });
    workspace.git('checkout', '-qb', 'evil');
    workspace.commit('ours', { 'a.txt': 'ours\n' });
    workspace.git('checkout', '-q', 'main');
    workspace.commit('theirs', { 'a.txt': 'theirs\n' });
    workspace.git('checkout', '-q', 'evil');
    workspace.put('b.txt', 'aside\n');
    expect(() => workspace.git('rebase', '--autostash', 'main')).toThrow('could not apply');
    filteredOnBranch(workspace);
    return workspace;
  };
  using workspace = stopped();
  await using client = await workspace.connect();
  for (const action of ['abort', 'skip', 'continue']) {
    expect(await workspace.say(client, 'git_integrate', { action })).toBe(
      'ERROR Refused: an autostash is to be applied, and the configuration depends on the branch; --trust permits it',
    );
  }
  expect(workspace.run).toEqual([]);
  workspace.git('rebase', '--abort');
  expect(workspace.run, 'plain git runs it').toEqual(['program']);
  using harmless = stopped();
  harmless.git('config', '--unset', 'includeIf.onbranch:evil.path');
  await using other = await harmless.connect();
  expect(await harmless.say(other, 'git_integrate', { action: 'abort' })).toContain('Done');
  expect(harmless.read('b.txt')).toBe('aside\n');
});

test('a filter configured for a branch does not run when a work tree for it is added', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n', '.gitattributes': '* filter=x\n' });
  workspace.git('branch', 'other');
  filteredOnBranch(workspace);
  await using client = await workspace.connect();
  const said = await workspace.say(client, 'git_worktree', { action: 'add', path: 'tree', branch: 'evil' });
  expect(said).toMatch(/tree [0-9a-f]{10} evil$/);
  expect(workspace.read('tree/a.txt')).toBe('a\n');
  expect(workspace.run).toEqual([]);
  workspace.gitIn(join(workspace.root, 'tree'), 'checkout', '-q', 'HEAD', '--', 'a.txt');
  rmSync(join(workspace.root, 'tree/a.txt'));
  workspace.gitIn(join(workspace.root, 'tree'), 'checkout', '-q', '--', 'a.txt');
  expect(workspace.run, 'plain git runs it').toEqual(['program']);
});
