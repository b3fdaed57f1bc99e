import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

const times = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => make(index));

test('lists of stashes, remotes and movements of HEAD are limited, and say how many there are', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  workspace.put('a.txt', 'changed\n');
  await workspace.git.stash();
  const [line = ''] = workspace.read('.git/logs/refs/stash').split('\n');
  appendFileSync(join(workspace.root, '.git/logs/refs/stash'), `${line}\n`.repeat(699));
  const [head = ''] = workspace.read('.git/logs/HEAD').split('\n');
  appendFileSync(join(workspace.root, '.git/logs/HEAD'), `${head}\n`.repeat(1_200));
  const remotes = times(600, (index) => `[remote "r${index}"]\n\turl = https://git.example/${index}.git\n`);
  appendFileSync(join(workspace.root, '.git/config'), remotes.join(''));
  await using client = await workspace.connect({ allowRemote: true });
  const lines = async (tool: string, args: object) =>
    (await workspace.callText(client, tool, { ...args })).split('\n');
  for (const [tool, args, shown, last] of [
    ['git_stash', { action: 'list' }, 501, '… 700 stashes, of which the first 500'],
    ['git_remote', {}, 501, '… 600 remotes, of which the first 500'],
    ['git_log', { reflog: true, max_count: 500 }, 501, '… more with cursor "500"'],
  ] as const) {
    const list = await lines(tool, args);
    expect([list.length, list.at(-1)], tool).toEqual([shown, last]);
  }
  let cursor = '0';
  for (let pages = 0; ; pages++) {
    const page = await lines('git_log', { reflog: true, max_count: 1_000, cursor });
    const [, next] = /cursor "(\d+)"$/.exec(page.at(-1)!) ?? [];
    if (next === undefined) {
      expect([pages, page.at(-1)]).toEqual([1, expect.stringMatching(/^12\d\d movements in all$/)]);
      break;
    }
    expect(Number(next) - Number(cursor)).toBe(page.length - 1);
    cursor = next;
  }
});

test('of 1,200 merged branches, 500 are deleted at once, and the answer says how many are left', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const commit = await workspace.git.revparse('HEAD');
  const refs = times(1_200, (index) => `${commit} refs/heads/b${String(index).padStart(4, '0')}\n`);
  writeFileSync(join(workspace.root, '.git/packed-refs'), refs.join(''));
  await using client = await workspace.connect();
  const remove = () => workspace.callText(client, 'git_delete_branch', { merged: true });
  expect(await remove()).toMatch(/^Deleted 500 branches, of 1200; call again for the others; /);
  expect(await remove()).toMatch(/^Deleted 500 branches, of 700; /);
  expect(await remove()).toMatch(/^Deleted 200 branches; /);
  expect(await remove()).toBe('No merged branch to delete');
});

test('of 300 conflicts 200 are listed', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const files = (content: string) => Object.fromEntries(times(300, (index) => [`f${index}`, content]));
  await workspace.diverge('other', files('theirs\n'), files('ours\n'));
  await using client = await workspace.connect();
  const text = await workspace.callText(client, 'git_integrate', { action: 'merge', revision: 'other' });
  const lines = text.split('\n');
  expect(lines[0]).toMatch(/^Stopped: the merge is in progress, with 300 conflicts; /);
  expect(lines).toHaveLength(203);
  expect(lines[201]).toBe('… 300 in total; the status lists all');
});
