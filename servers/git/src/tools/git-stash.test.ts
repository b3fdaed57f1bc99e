import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('git_stash saves, lists, applies and pops changes', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await using client = await workspace.connect();
  const stash = (args: object) => workspace.callText(client, 'git_stash', { ...args });
  expect(await stash({ action: 'list' })).toBe('No stashes');
  expect(await stash({ action: 'save' })).toMatch(
    /^Nothing to save; main is at [0-9a-f]{10}; clean\nNo stashes$/,
  );
  workspace.put('a.txt', 'changed\n');
  workspace.put('new.txt', 'new\n');
  expect(await stash({ action: 'save', message: 'work', include_untracked: true })).toMatch(
    /^Saved 2 files as stash 0; main is at [0-9a-f]{10}; clean\n0: [0-9a-f]{10} \d{4}-\d\d-\d\d On main: work\n1 stash$/,
  );
  expect(await workspace.output(['status', '--porcelain'])).toBe('');
  expect(await stash({ action: 'list' })).toMatch(/^0: [0-9a-f]{10} \d{4}-\d\d-\d\d On main: work\n1 stash$/);
  expect(await stash({ action: 'apply' })).toMatch(
    /^Applied; main is at [0-9a-f]{10}; 1 not staged, 1 untracked\n0: /,
  );
  await workspace.git.reset(['--hard']);
  await workspace.git.raw(['clean', '-q', '-f']);
  expect(await stash({ action: 'pop' })).toMatch(
    /^Applied; main is at [0-9a-f]{10}; 1 not staged, 1 untracked; the action "save" with commit [0-9a-f]{10} puts the stash back as stash 0\nNo stashes$/,
  );
  expect([workspace.read('a.txt'), workspace.read('new.txt')]).toEqual(['changed\n', 'new\n']);
});

test('git_stash keeps the stash if it conflicts or cannot be applied', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  workspace.put('a.txt', 'mine\n');
  await workspace.git.stash();
  await workspace.commit('second', { 'a.txt': 'theirs\n' });
  await using client = await workspace.connect();
  const stash = (args: object) => workspace.callText(client, 'git_stash', { ...args });
  expect(await stash({ action: 'pop' })).toMatch(
    /^Applied with conflicts; the stash is kept; main is at [0-9a-f]{10}; 1 in conflict\n0: /,
  );
  await workspace.git.reset(['--hard']);
  workspace.put('a.txt', 'changed\n');
  expect(await stash({ action: 'pop' })).toBe(
    'ERROR Local changes would be overwritten: commit, stash or restore them first',
  );
  expect(await stash({ action: 'drop', index: 7 })).toBe('ERROR No such stash: 7; the only stash is 0');
  expect(await stash({ action: 'apply', index: 7 })).toBe('ERROR No such stash: 7; the only stash is 0');
  expect(workspace.read('a.txt')).toBe('changed\n');
});

test('git_stash applies a stash whose staged part conflicts, and reports that nothing is staged', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'one\ntwo\nthree\nfour\nfive\nsix\n', 'b.txt': 'b\n' });
  workspace.put('a.txt', 'ONE\ntwo\nthree\nfour\nfive\nsix\n');
  await workspace.git.add('a.txt');
  workspace.put('a.txt', 'one\ntwo\nthree\nfour\nfive\nsix\n');
  workspace.put('b.txt', 'stashed\n');
  await workspace.git.stash();
  await workspace.commit('meanwhile', { 'a.txt': 'other\ntwo\nthree\nfour\nfive\nsix\n' });
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_stash', { action: 'pop' })).toMatch(
    /^Applied; the staged part conflicts with the index, so nothing is staged; main is at [0-9a-f]{10}; 1 not staged; the action "save" with commit \w+ puts the stash back as stash 0\nNo stashes$/,
  );
  expect(workspace.read('b.txt')).toBe('stashed\n');
  expect(await workspace.output(['diff', '--cached', '--name-only'])).toBe('');
  expect(await workspace.output(['stash', 'list'])).toBe('');
});

test.each(['apply', 'pop'])(
  'git_stash %s changes nothing where an untracked file of the stash exists again',
  async (action) => {
    using workspace = await Workspace.create({ 'a.txt': 'a\n' });
    workspace.put('a.txt', 'stashed\n');
    workspace.put('dir/new.txt', 'stashed\n');
    await workspace.git.stash(['push', '--quiet', '--include-untracked']);
    await using client = await workspace.connect();
    for (const path of ['dir/new.txt', 'dir']) {
      rmSync(join(workspace.root, 'dir'), { recursive: true, force: true });
      workspace.put(path, 'made since\n');
      const before = await workspace.state();
      expect(await workspace.callText(client, 'git_stash', { action })).toBe(
        `ERROR Nothing was applied, because files exist at the paths of untracked files of the stash: "${path}"; move them first`,
      );
      expect(await workspace.state()).toBe(before);
      expect([workspace.read('a.txt'), workspace.read(path)]).toEqual(['a\n', 'made since\n']);
    }
  },
);

test('git_stash saves a dropped stash again, with its message, and nothing that is no stash', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.diverge('other', { 'b.txt': 'b\n' }, { 'c.txt': 'c\n' });
  await workspace.git.merge(['other']);
  workspace.put('a.txt', 'stashed\n');
  await workspace.git.stash(['push', '--quiet', '--message', 'work']);
  await using client = await workspace.connect();
  const stash = (args: object) => workspace.callText(client, 'git_stash', { ...args });
  const before = await stash({ action: 'list' });
  const [, commit] = /"save" with commit (\w+)/.exec(await stash({ action: 'drop' })) ?? [];
  expect(await stash({ action: 'save', commit: 'HEAD' })).toBe('ERROR Not a stash: "HEAD"');
  expect(await stash({ action: 'save', commit: 'nowhere' })).toMatch(/^ERROR No such revision: "nowhere"/);
  expect(await stash({ action: 'save', commit })).toBe(`Saved again as stash 0\n${before}`);
  expect(await workspace.output(['stash', 'list'])).toBe('stash@{0}: On main: work');
});
