import { lstatSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@mcp/protocol/testing';
import { expect, test } from 'vitest';
import { type Workspace, WorkspaceTemplate } from './workspace.ts';

const lines = (...numbers: readonly (number | string)[]) => numbers.map((each) => `${each}\n`).join('');

/**
 * main has two commits after `base`, and the branches change a.txt, each at another place: `ahead` continues
 * main, `other` started at `base` and adds a file, `conflicting` changes the line that main changed.
 */
const template = new WorkspaceTemplate(
  {
    'a.txt': lines(1, 2, 3, 4, 5, 6, 7, 8, 9),
    'both.txt': 'base\n',
    'kept.txt': 'kept\n',
    'gone.txt': 'gone\n',
    '.gitignore': '*.ignored\n',
  },
  async (workspace) => {
    const { git } = workspace;
    await git.tag(['base']);
    await git.checkoutLocalBranch('conflicting');
    await workspace.commit('a conflict', { 'both.txt': 'theirs\n', 'c.txt': 'c\n' });
    await git.checkout(['-q', '-b', 'other', 'base']);
    await workspace.commit('at the top', {
      'a.txt': lines('top', 2, 3, 4, 5, 6, 7, 8, 9),
      'added.txt': 'added\n',
    });
    rmSync(join(workspace.root, 'gone.txt'));
    await workspace.commit('remove a file, add two', { 'dir/more.txt': 'more\n', 'b.ignored': 'tracked\n' });
    await git.raw(['add', '--force', 'b.ignored']);
    await git.commit('track an ignored file');
    await git.checkout('main');
    await workspace.commit('second', { 'both.txt': 'ours\n' });
    await workspace.commit('third', { 'a.txt': lines(1, 2, 3, 4, 5, 6, 7, 8, 'end') });
    await git.checkout(['-q', '-b', 'ahead']);
    await workspace.commit('ahead', {
      'a.txt': lines(1, 2, 3, 4, 'middle', 6, 7, 8, 'end'),
      'added.txt': 'added\n',
    });
    await git.checkout('main');
    await git.raw(['branch', '--quiet', 'followed', 'base', '--track', '--no-track']);
    await git.branch(['--set-upstream-to=main', 'followed']);
    await git.addConfig('branch.followed.description', 'what it is for');
    await git.tag(['-a', 'annotated', '-m', 'a note', 'other']);
    await git.tag(['light', 'base']);
    await git.addConfig('remote.origin.url', '.');
    await git.addConfig('remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*');
    // A packed repository has few files to copy.
    await git.raw(['pack-refs', '--all']);
    await git.raw(['repack', '-adq']);
  },
);

const edited = lines(1, 2, 3, 4, 5, 'mine', 7, 8, 'end');
const editedTwice = lines(1, 'mine', 3, 4, 5, 'mine', 7, 8, 'end');

/** The states of a repository before the change. */
const states: { readonly [name: string]: (workspace: Workspace) => unknown } = {
  clean: () => {},
  'dirty elsewhere': (workspace) => workspace.put('kept.txt', 'dirty\n'),
  'dirty here': (workspace) => workspace.put('a.txt', edited),
  'staged elsewhere': async (workspace) => {
    workspace.put('kept.txt', 'staged\n');
    workspace.put('new.txt', 'new\n');
    await workspace.git.add(['kept.txt', 'new.txt']);
  },
  'staged elsewhere, and changed again': async (workspace) => {
    workspace.put('kept.txt', 'staged\n');
    await workspace.git.add('kept.txt');
    workspace.put('kept.txt', 'dirty\n');
  },
  'staged here': async (workspace) => {
    workspace.put('a.txt', edited);
    await workspace.git.add('a.txt');
  },
  'staged here, and changed again': async (workspace) => {
    workspace.put('a.txt', edited);
    await workspace.git.add('a.txt');
    workspace.put('a.txt', editedTwice);
  },
  'staged as theirs': async (workspace) => {
    workspace.put('added.txt', 'added\n');
    workspace.put('a.txt', lines(1, 2, 3, 4, 'middle', 6, 7, 8, 'end'));
    await workspace.git.add(['a.txt', 'added.txt']);
  },
  'untracked in the way': (workspace) => workspace.put('added.txt', 'own\n'),
  'ignored in the way': (workspace) => workspace.put('b.ignored', 'own\n'),
  detached: async (workspace) => {
    await workspace.git.checkout(['-q', '--detach']);
    await workspace.commit('detached', { 'kept.txt': 'detached\n' });
  },
  'in the middle of a merge': async (workspace) => {
    await workspace.git.merge(['conflicting']).catch(() => {});
  },
  'in the middle of a cherry-pick': async (workspace) => {
    await workspace.git.raw(['cherry-pick', 'conflicting']).catch(() => {});
  },
};

interface Change {
  readonly what: string;
  /** The states in which the change is tried; with GENERATED_TIMES above 1, all. */
  readonly in: readonly string[];
  readonly tool: string;
  readonly args: (workspace: Workspace) => object | Promise<object>;
  readonly prepare?: (workspace: Workspace) => unknown;
  /** The reason why the answer has no undo; without a reason it must have one. */
  readonly noAdvice?: string;
  /** The compared parts; by default everything. */
  readonly compared?: readonly (keyof Snapshot)[];
}

const integrate = (args: object) => ({ tool: 'git_integrate', args: () => args });
const commit = (args: object) => ({ tool: 'git_commit', args: () => ({ message: 'replaced', ...args }) });

const changes: readonly Change[] = [
  {
    what: 'a fast-forward',
    in: [
      'dirty elsewhere',
      'staged elsewhere',
      'staged elsewhere, and changed again',
      'staged as theirs',
      'untracked in the way',
      'detached',
    ],
    ...integrate({ action: 'merge', revision: 'ahead' }),
  },
  {
    what: 'a merge',
    in: ['dirty elsewhere', 'staged elsewhere', 'ignored in the way', 'dirty here', 'untracked in the way'],
    ...integrate({ action: 'merge', revision: 'other' }),
  },
  {
    what: 'a cherry-pick',
    in: ['dirty elsewhere', 'staged elsewhere', 'untracked in the way', 'detached'],
    ...integrate({ action: 'cherry-pick', revision: 'other~1' }),
  },
  {
    what: 'cherry-picks',
    in: ['dirty elsewhere', 'staged elsewhere', 'ignored in the way', 'dirty here'],
    ...integrate({ action: 'cherry-pick', revision: 'base..other' }),
  },
  {
    what: 'a revert',
    in: ['dirty elsewhere', 'staged here', 'detached', 'in the middle of a merge'],
    ...integrate({ action: 'revert', revision: 'HEAD' }),
  },
  {
    what: 'a rebase',
    in: ['clean', 'ignored in the way', 'detached'],
    ...integrate({ action: 'rebase', revision: 'other' }),
  },
  {
    what: 'a pull',
    in: ['dirty elsewhere', 'staged elsewhere'],
    tool: 'git_pull',
    args: () => ({ remote: 'origin', branch: 'other', how: 'merge' }),
  },
  {
    what: 'a squashed merge',
    in: ['clean'],
    ...integrate({ action: 'merge', revision: 'other', squash: true }),
    noAdvice: 'it says that the changes are staged and not committed',
  },
  {
    what: 'the abort of a rebase that has made a commit',
    in: ['clean'],
    prepare: async (workspace) => {
      await workspace.git.raw(['rebase', 'conflicting']).catch(() => {});
    },
    ...integrate({ action: 'abort' }),
    noAdvice: 'an operation that is aborted is over; the commits that it has made are named',
  },
  {
    what: 'an amended commit',
    in: ['staged elsewhere', 'staged here, and changed again'],
    ...commit({ amend: true }),
  },
  {
    what: 'an amended commit of a file',
    in: ['clean', 'dirty here', 'staged elsewhere, and changed again'],
    ...commit({ amend: true, files: ['a.txt'] }),
  },
  { what: 'a fixup', in: ['staged elsewhere'], ...commit({ fixup: 'HEAD~1' }) },
  {
    what: 'a fixup of a file',
    in: ['dirty here'],
    ...commit({ fixup: 'HEAD~1', files: ['a.txt'] }),
  },
  { what: 'a squash', in: ['staged elsewhere'], ...commit({ squash: 'HEAD~2' }) },
  {
    what: 'a squash with a file',
    in: ['dirty here', 'staged here'],
    ...commit({ squash: 'HEAD~2', files: ['a.txt'] }),
  },
  { what: 'a reword', in: ['staged elsewhere, and changed again'], ...commit({ reword: 'HEAD~1' }) },
  {
    what: 'staged lines',
    in: ['clean', 'staged here'],
    tool: 'git_add',
    prepare: (workspace) => workspace.put('a.txt', editedTwice),
    args: async (workspace) => {
      const [from] = /[0-9a-f]{40}/.exec(await workspace.output(['ls-files', '--stage', 'a.txt'])) ?? [];
      const to = await workspace.output(['hash-object', 'a.txt']);
      return { files: ['a.txt'], lines: ['+2', '-2'], index: `${from}..${to}` };
    },
  },
  {
    what: 'an untracked file',
    in: ['clean', 'staged here', 'staged here, and changed again', 'in the middle of a merge'],
    tool: 'git_add',
    args: () => ({ files: ['a.txt'], untrack: true }),
  },
  {
    what: 'several untracked files',
    in: ['clean', 'staged here'],
    tool: 'git_add',
    args: () => ({ files: ['a.txt', 'kept.txt'], untrack: true }),
  },
  {
    what: 'a deleted branch with an upstream',
    in: ['clean'],
    tool: 'git_delete_branch',
    args: () => ({ branch_name: 'followed' }),
  },
  {
    what: 'a deleted branch whose commits are not merged',
    in: ['clean'],
    tool: 'git_delete_branch',
    args: () => ({ branch_name: ['other', 'ahead'], force: true }),
  },
  {
    what: 'a popped stash',
    in: ['clean', 'staged elsewhere'],
    tool: 'git_stash',
    prepare: async (workspace) => {
      workspace.put('gone.txt', 'stashed\n');
      await workspace.git.stash(['push', '--quiet', '--message', 'kept', 'gone.txt']).catch(() => {});
    },
    args: () => ({ action: 'pop' }),
    compared: ['stashes'],
  },
  {
    what: 'a dropped stash',
    in: ['clean'],
    tool: 'git_stash',
    prepare: async (workspace) => {
      workspace.put('gone.txt', 'stashed\n');
      await workspace.git.stash(['push', '--quiet', '--message', 'kept', 'gone.txt']).catch(() => {});
    },
    args: () => ({ action: 'drop' }),
  },
  {
    what: 'a deleted tag',
    in: ['clean'],
    tool: 'git_tag',
    args: () => ({ action: 'delete', name: 'light' }),
  },
  {
    what: 'a deleted annotated tag',
    in: ['clean'],
    tool: 'git_tag',
    args: () => ({ action: 'delete', name: 'annotated' }),
  },
  {
    what: 'a side of a conflict',
    in: ['in the middle of a merge', 'in the middle of a cherry-pick'],
    tool: 'git_restore',
    args: () => ({ paths: ['both.txt'], side: 'theirs' }),
  },
  {
    what: 'a reset that keeps changes',
    in: [
      'dirty elsewhere',
      'staged elsewhere',
      'staged elsewhere, and changed again',
      'dirty here',
      'in the middle of a merge',
    ],
    tool: 'git_reset',
    args: () => ({ mode: 'keep', revision: 'HEAD~1' }),
  },
];

/** The advice in answers, and the calls that follow it. */
const calls: readonly {
  readonly said: RegExp;
  readonly call: (match: readonly string[], args: Record<string, unknown>) => [tool: string, args: object];
}[] = [
  {
    said: /to undo: git_reset with mode "(\w+)" and revision (\w+)/,
    call: ([, mode, revision]) => ['git_reset', { mode, revision }],
  },
  {
    said: /to undo: git_restore with staged, source (\w+) and the same path$/,
    call: ([, source], { files }) => ['git_restore', { paths: files, staged: true, source }],
  },
  {
    said: /to undo: git_restore with staged and the same paths?$/,
    call: (_match, { files }) => ['git_restore', { paths: files, staged: true }],
  },
  {
    said: /to undo: git_add with files (.*)$/,
    call: ([, files]) => ['git_add', { files: files!.split(', ') }],
  },
  {
    said: /git_restore with staged and paths (.*), then git_add with files (.*)$/,
    call: ([, staged]) => ['git_restore', { paths: staged!.split(', '), staged: true }],
  },
  {
    said: /git_restore with staged and paths (.*), then git_add with files (.*)$/,
    call: ([, , added]) => ['git_add', { files: added!.split(', ') }],
  },
  {
    said: /to undo: git_restore with side "conflict" and the same paths/,
    call: (_match, { paths }) => ['git_restore', { paths, side: 'conflict' }],
  },
  {
    said: /creating it at revision (\w+) restores it/,
    call: ([, revision], { name }) => ['git_tag', { action: 'create', name, revision }],
  },
  {
    said: /action "save" with commit (\w+)/,
    call: ([, hash]) => ['git_stash', { action: 'save', commit: hash }],
  },
  ...[0, 1].map((index) => ({
    said: new RegExp(`to restore a branch[^]*:\\n(?:.*\\n){${index}}(\\S+) (\\w+)(?: \\[(.*)\\])?`),
    call: ([, branch_name, base_branch, upstream]: readonly string[]): [string, object] => [
      'git_create_branch',
      { branch_name, base_branch, ...(upstream !== undefined && { upstream }) },
    ],
  })),
  {
    said: /^\S+ is at \w+, was (\w+); [^;]*$/,
    call: ([, revision]) => ['git_reset', { mode: 'keep', revision }],
  },
];

interface Snapshot {
  readonly head: string;
  readonly refs: string;
  readonly index: string;
  readonly files: Record<string, string>;
  readonly stashes: string;
  readonly operation: readonly string[];
}

/** All parts of the state that a change may affect. */
async function snapshot(workspace: Workspace): Promise<Snapshot> {
  const [refs, index] = await Promise.all([
    workspace.output(['for-each-ref', '--format=%(refname) %(objectname) %(symref) %(upstream)']),
    workspace.output(['ls-files', '--stage']),
  ]);
  const files: Record<string, string> = {};
  for (const entry of readdirSync(workspace.root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory() || path.startsWith(join(workspace.root, '.git/'))) continue;
    const content = entry.isSymbolicLink() ? readlinkSync(path) : readFileSync(path, 'utf8');
    files[path.slice(workspace.root.length + 1)] = `${(lstatSync(path).mode & 0o100).toString(8)} ${content}`;
  }
  const inGit = (name: string) => readFileSync(join(workspace.root, '.git', name), 'utf8');
  const names = readdirSync(join(workspace.root, '.git'));
  return {
    head: inGit('HEAD'),
    refs: refs
      .split('\n')
      .filter((line) => !/^refs\/(stash|remotes|kept-work)\b/.test(line))
      .join('\n'),
    index,
    files,
    stashes: names.includes('logs') ? readStashes(workspace) : '',
    operation: names.filter((name) =>
      /^(MERGE_HEAD|CHERRY_PICK_HEAD|REVERT_HEAD|rebase-.*|sequencer)$/.test(name),
    ),
  };
}

function readStashes({ root }: Workspace): string {
  try {
    const log = readFileSync(join(root, '.git/logs/refs/stash'), 'utf8');
    return log.replaceAll(/^\w+ (\w+) .*\t/gm, '$1 ');
  } catch {
    return '';
  }
}

/** Makes the calls that an answer names; returns them. */
async function follow(workspace: Workspace, client: Client, answer: string, args: Record<string, unknown>) {
  const made: string[] = [];
  for (const { said, call } of calls) {
    const match = said.exec(answer);
    if (!match) continue;
    const [tool, given] = call(match, args);
    const text = await workspace.callText(client, tool, { ...given });
    made.push(`${tool} ${JSON.stringify(given)}: ${text}`);
  }
  return made;
}

async function tried(state: string, { prepare, tool, args, noAdvice, compared }: Change): Promise<unknown> {
  using workspace = await template.copy();
  await states[state]!(workspace);
  await prepare?.(workspace);
  await using client = await workspace.connect({ allowRemote: true });
  const before = await snapshot(workspace);
  const given = { ...(await args(workspace)) };
  const answer = await workspace.callText(client, tool, given);
  const changed = await snapshot(workspace);
  if (/^ERROR |^Nothing to do/.test(answer)) return differences(before, changed, answer);
  if (/^Stopped: .*; or abort/s.test(answer)) {
    await client.callTool('git_integrate', { action: 'abort' });
    return differences(before, await snapshot(workspace), answer);
  }
  const made = await follow(workspace, client, answer, given);
  if (noAdvice !== undefined) return made.length === 0 ? undefined : { answer, made };
  if (made.length === 0) return /cannot be undone/.test(answer) ? undefined : { answer };
  const after = await snapshot(workspace);
  // Only for a replaced commit: the changes that it staged itself stay staged.
  const expected = answer.includes('leaves the files staged') ? { ...before, index: after.index } : before;
  return differences(expected, after, [answer, ...made].join('\n'), compared);
}

function differences(
  before: Snapshot,
  after: Snapshot,
  answer: string,
  compared: readonly (keyof Snapshot)[] = Object.keys(before) as (keyof Snapshot)[],
) {
  const differing = compared.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
  if (differing.length === 0) return undefined;
  return {
    answer,
    ...Object.fromEntries(differing.map((key) => [key, { before: before[key], after: after[key] }])),
  };
}

const everyState = Number(process.env['GENERATED_TIMES'] ?? 1) > 1;

const trials = changes.flatMap((change) =>
  (everyState ? Object.keys(states) : change.in).map((state) => ({ ...change, state })),
);

test.concurrent.each(trials)('$state: what the answer says undoes $what', async ({ state, ...change }) => {
  expect(await tried(state, change)).toBeUndefined();
});
