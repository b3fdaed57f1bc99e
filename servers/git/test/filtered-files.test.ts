import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { age } from './tool-walk.ts';
import { Workspace } from './workspace.ts';

const attributes = '*.bin filter=rot\n';
const rot = { clean: 'tr a-z n-za-m', smudge: 'tr a-z n-za-m' };

/** A repository in which `x.bin` is committed as `uryyb`, and is `hello` in the work tree. */
async function filtered(driver: Record<string, string> = rot): Promise<Workspace> {
  const workspace = await Workspace.create({ '.gitattributes': attributes, 'a.txt': 'a\n' });
  for (const [key, value] of Object.entries(rot)) await workspace.git.addConfig(`filter.rot.${key}`, value);
  await workspace.commit('filtered', { 'x.bin': 'hello\n' });
  for (const key of Object.keys(rot)) await workspace.git.raw(['config', '--unset', `filter.rot.${key}`]);
  for (const [key, value] of Object.entries(driver))
    await workspace.git.addConfig(`filter.rot.${key}`, value);
  return workspace;
}

const refusal = (names: string) =>
  `ERROR Refused: the filters of an untrusted repository do not run, and these files would be stored unfiltered: ${names}; leave them out; start the server with --trust to permit it`;

test.each([
  ['a clean command', rot],
  ['a required driver', { ...rot, required: 'true' }],
  ['a required driver without a command', { required: 'true' }],
  ['a process', { process: 'rot-process' }],
])('files under a filter with %s are not stored unfiltered', async (_name, driver) => {
  using workspace = await filtered(driver);
  await using client = await workspace.connect();
  const call = (tool: string, args: object = {}) => workspace.callText(client, tool, { ...args });
  workspace.put('x.bin', 'changed\n');
  workspace.put('sub/new "1".bin', 'new\n');
  workspace.put('a.txt', 'changed\n');
  const before = await workspace.state();
  const both = '"x.bin" (filter "rot"), "sub/new \\"1\\".bin" (filter "rot")';
  expect(await call('git_add', { files: ['.'] })).toBe(refusal(both));
  expect(await call('git_add', { files: ['a.txt', 'x.bin'] })).toBe(refusal('"x.bin" (filter "rot")'));
  expect(await call('git_commit', { message: 'm', files: ['sub'] })).toBe(
    refusal('"sub/new \\"1\\".bin" (filter "rot")'),
  );
  const [, index] = /^index (\S+)/m.exec(await call('git_diff_unstaged', { paths: ['x.bin'] })) ?? [];
  expect(await call('git_add', { files: ['x.bin'], lines: ['+1', '-1'], index })).toBe(
    refusal('"x.bin" (filter "rot")'),
  );
  expect(await call('git_stash', { action: 'save' })).toBe(refusal('"x.bin" (filter "rot")'));
  expect(await call('git_stash', { action: 'save', include_untracked: true })).toBe(refusal(both));
  expect(await workspace.state()).toBe(before);
  expect(workspace.read('x.bin')).toBe('changed\n');

  expect(await call('git_add', { files: ['a.txt'] })).toMatch(/^Staged \d file/);
  expect(await call('git_commit', { message: 'm' })).toMatch(/^Committed/);
  expect(await workspace.output(['cat-file', 'blob', 'HEAD:x.bin'])).toBe('uryyb');
});

test('a driver that only smudges, one that is not configured, and a deletion are staged as git does', async () => {
  using workspace = await filtered({ smudge: rot.smudge });
  await using client = await workspace.connect();
  workspace.put('x.bin', 'changed\n');
  expect(await workspace.callText(client, 'git_add', { files: ['x.bin'] })).toMatch(/^Staged \d file/);
  workspace.put('.gitattributes', '*.bin -filter\n*.txt filter=unknown\n');
  workspace.put('a.txt', 'changed\n');
  expect(await workspace.callText(client, 'git_add', { files: ['.'] })).toMatch(/^Staged \d file/);

  using other = await filtered();
  await using second = await other.connect();
  rmSync(join(other.root, 'x.bin'));
  expect(await other.callText(second, 'git_add', { files: ['.'] })).toMatch(/^Staged \d file/);
  expect(await other.output(['diff', '--cached', '--name-status'])).toBe('D\tx.bin');
});

test('files of Git LFS are not stored in place of their pointers, even if it is not installed', async () => {
  using workspace = await Workspace.create({ 'sub/.gitattributes': '*.bin filter=lfs -text\n' });
  await using client = await workspace.connect();
  workspace.put('sub/x.bin', 'raw');
  for (const files of [['.'], ['sub'], ['sub/x.bin']])
    expect(await workspace.callText(client, 'git_add', { files })).toBe(
      refusal('"sub/x.bin" (filter "lfs")'),
    );
});

test('a driver of the operator counts, and with --trust the filter runs', async () => {
  using workspace = await filtered({});
  for (const [key, value] of Object.entries(rot))
    await workspace.git.addConfig(`filter.rot.${key}`, value, false, 'global');
  workspace.put('x.bin', 'hello world\n');
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_add', { files: ['x.bin'] })).toBe(
    refusal('"x.bin" (filter "rot")'),
  );
  await using trusting = await workspace.connect({ trust: true });
  expect(await workspace.callText(trusting, 'git_commit', { message: 'm', files: ['.'] })).toMatch(
    /^Committed/,
  );
  expect(await workspace.output(['cat-file', 'blob', 'HEAD:x.bin'])).toBe('uryyb jbeyq');
  expect(workspace.read('x.bin')).toBe('hello world\n');
});

test('with --trust a required filter that fails refuses the file', async () => {
  using workspace = await filtered();
  const failing = join(workspace.base, 'failing');
  writeFileSync(failing, '#!/bin/sh\nexit 1\n');
  chmodSync(failing, 0o755);
  await workspace.git.addConfig('filter.rot.clean', failing);
  await workspace.git.addConfig('filter.rot.required', 'true');
  workspace.put('x.bin', 'changed\n');
  await using trusting = await workspace.connect({ trust: true });
  expect(await workspace.callText(trusting, 'git_add', { files: ['x.bin'] })).toMatch(
    /^ERROR Git refused: external filter .* failed/,
  );
});

const note = (names: string) =>
  `The filters of an untrusted repository do not run, so that these files are in the work tree as git stores them, such as a pointer of Git LFS: ${names}`;

test('an answer says which files it has written without their filter', async () => {
  using workspace = await filtered();
  await workspace.git.checkoutLocalBranch('topic');
  for (const [name, text] of [
    ['x.bin', 'topic\n'],
    ['y.bin', 'y\n'],
  ] as const)
    workspace.put(name, text);
  await workspace.commit('topic');
  await workspace.git.checkout('main');
  age(workspace);
  await workspace.git.raw(['update-index', '--refresh']);
  await using client = await workspace.connect();
  const call = (tool: string, args: object = {}) => workspace.callText(client, tool, { ...args });

  const both = note('"x.bin", "y.bin"');
  expect(await call('git_checkout', { branch_name: 'topic' })).toMatch(
    new RegExp(`^On branch "topic" at \\w+; .*\n${both}$`),
  );
  expect(workspace.read('x.bin')).toBe('gbcvp\n');
  expect(await call('git_create_branch', { branch_name: 'b', base_branch: 'main', checkout: true })).toMatch(
    new RegExp(`^Created branch "b" at \\w+; checked out; .*\n${note('"x.bin"')}$`),
  );
  expect(await call('git_checkout', { branch_name: 'main' })).toMatch(/^On branch "main" at \w+; .*$/);
  expect(await call('git_integrate', { action: 'merge', revision: 'topic' })).toMatch(
    new RegExp(`\n${both}$`),
  );
  workspace.put('x.bin', 'changed\n');
  expect(await call('git_restore', { paths: ['x.bin'] })).toMatch(
    new RegExp(`^Restored 1 file.*\n${note('"x.bin"').replaceAll(/[.()]/g, '.')}$`),
  );
  expect(await call('git_reset', { mode: 'hard', revision: 'HEAD~1' })).toContain(`\n${note('"x.bin"')}`);
});

test('a new work tree and a clone say which of their files are unfiltered', async () => {
  using workspace = await filtered();
  await using client = await workspace.connect({ allowRemote: true, directories: [workspace.allowed] });
  const call = (tool: string, args: object) => workspace.callText(client, tool, { ...args });
  const args = { repo_path: workspace.root, action: 'add', path: 'tree', branch: 'in-tree' };
  expect(await call('git_worktree', args)).toMatch(new RegExp(`\n${note('"x.bin"')}$`));
  expect(await call('git_worktree', { repo_path: workspace.root, action: 'list' })).not.toContain('Filters');

  await workspace.git.checkout(['-q', '-f', 'main']);
  await workspace.commit('lfs', { '.gitattributes': '*.bin filter=lfs\n' });
  expect(await call('git_clone', { url: `file://${workspace.root}`, path: 'copy' })).toMatch(
    new RegExp(`^Cloned; .*\n${note('"x.bin"')}$`),
  );
});
