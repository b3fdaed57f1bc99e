import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Client } from '@mcp/protocol/testing';
import { Workspace } from './workspace.ts';

/** A call that would lose something, and how to see that it has. */
interface Destructive {
  readonly what: string;
  readonly prepare: (workspace: Workspace) => unknown;
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly question: string;
  readonly answer: string | RegExp;
  readonly lost: (workspace: Workspace) => boolean | Promise<boolean>;
}

/** Stops a merge at a conflict. */
async function stopMerge(workspace: Workspace): Promise<void> {
  await workspace.diverge('other', { 'a.txt': 'theirs\n' }, { 'a.txt': 'ours\n' });
  await expect(workspace.git.merge(['other'])).rejects.toThrow();
}

/** Stops a cherry-pick at a conflict. */
async function stopPick(workspace: Workspace): Promise<void> {
  await stopMerge(workspace);
  await workspace.git.merge(['--abort']);
  await expect(workspace.git.raw(['cherry-pick', 'other'])).rejects.toThrow();
}

/** Stops an operation, and resolves its conflict. */
async function resolved(workspace: Workspace, stop: (workspace: Workspace) => Promise<void>): Promise<void> {
  await stop(workspace);
  workspace.put('a.txt', 'resolved\n');
}

const destructive: readonly Destructive[] = [
  {
    what: 'a hard reset',
    prepare: (workspace) => workspace.put('a.txt', 'changed\n'),
    tool: 'git_reset',
    args: { mode: 'hard' },
    question: 'Discard all changes to tracked files in /allowed/repo and go to "HEAD"?',
    answer:
      /^main is at [0-9a-f]{10}; clean; to undo: git_stash with action "apply" and commit [0-9a-f]{10}$/,
    lost: (workspace) => workspace.read('a.txt') === 'a\n',
  },
  {
    what: 'restoring files',
    prepare: (workspace) => workspace.put('a.txt', 'changed\n'),
    tool: 'git_restore',
    args: { paths: ['a.txt'] },
    question: 'Discard the changes in "a.txt" of /allowed/repo?',
    answer: /^Restored 1 file; to undo: git_restore with source [0-9a-f]{10} and paths a\.txt$/,
    lost: (workspace) => workspace.read('a.txt') === 'a\n',
  },
  {
    what: 'deleting a branch that is not merged',
    prepare: async (workspace) => {
      await workspace.git.checkoutLocalBranch('topic');
      await workspace.commit('only here');
      await workspace.git.checkout('main');
    },
    tool: 'git_delete_branch',
    args: { branch_name: 'topic', force: true },
    question: 'Delete the branch "topic" of /allowed/repo with commits that are not merged?',
    answer: /^Deleted 1 branch; /,
    lost: async (workspace) => (await workspace.output(['branch', '--list', 'topic'])) === '',
  },
  {
    what: 'deleting an annotated tag',
    prepare: (workspace) => workspace.git.addAnnotatedTag('v1', 'only here'),
    tool: 'git_tag',
    args: { action: 'delete', name: 'v1' },
    question: 'Delete the tag "v1" of /allowed/repo?',
    answer: /^Deleted tag "v1"; creating it at revision [0-9a-f]{10} restores it$/,
    lost: async (workspace) => (await workspace.output(['tag'])) === '',
  },
  {
    what: 'dropping a stash',
    prepare: async (workspace) => {
      workspace.put('a.txt', 'changed\n');
      await workspace.git.stash();
    },
    tool: 'git_stash',
    args: { action: 'drop' },
    question: 'Drop stash 0 of /allowed/repo?',
    answer:
      /^Dropped stash 0; the action "save" with commit [0-9a-f]{10} puts the stash back as stash 0, and "apply" only restores its changes\nNo stashes$/,
    lost: async (workspace) => (await workspace.output(['stash', 'list'])) === '',
  },
  {
    what: 'giving up a merge of which a conflict is resolved',
    prepare: (workspace) => resolved(workspace, stopMerge),
    tool: 'git_integrate',
    args: { action: 'abort' },
    question: 'Discard the resolved conflicts in /allowed/repo (abort)?',
    answer: /^Done; main is at /,
    lost: (workspace) => !existsSync(join(workspace.root, '.git/MERGE_HEAD')),
  },
  {
    what: 'leaving out a commit of which a conflict is resolved',
    prepare: (workspace) => resolved(workspace, stopPick),
    tool: 'git_integrate',
    args: { action: 'skip' },
    question: 'Discard the resolved conflicts in /allowed/repo (skip)?',
    answer: /^Done; main is at /,
    lost: (workspace) => !existsSync(join(workspace.root, '.git/CHERRY_PICK_HEAD')),
  },
  {
    what: 'removing a work tree with ignored files',
    prepare: async (workspace) => {
      await workspace.git.raw(['worktree', 'add', '-q', '../tree']);
      workspace.put('.git/info/exclude', '*.env\n');
      writeFileSync(join(workspace.allowed, 'tree/secrets.env'), 'x\n');
    },
    tool: 'git_worktree',
    args: { action: 'remove', path: '../tree', force: true },
    question:
      'Remove the work tree "../tree" with all its files? This cannot be undone: ignored files are not kept.',
    answer: /^Removed; .*; ignored files are not kept\n\/allowed\/repo [0-9a-f]{10} main\n1 work tree$/,
    lost: (workspace) => !existsSync(join(workspace.allowed, 'tree')),
  },
  {
    what: 'a forced push',
    prepare: async (workspace) => {
      await workspace.gitAt(workspace.allowed).clone(workspace.root, 'origin.git', ['--bare']);
      await workspace.git.addRemote('origin', `file://${workspace.allowed}/origin.git`);
      await workspace.git.fetch('origin');
      await workspace.git.commit('amended', ['--amend']);
    },
    tool: 'git_push',
    args: { force: true },
    question: 'Replace the current branch on the remote of /allowed/repo?',
    answer: /^Pushed main to origin\/main, which was at [0-9a-f]{10}$/,
    lost: async (workspace) =>
      (await workspace.output(['log', '-1', '--format=%s', 'main'], {
        directory: join(workspace.allowed, 'origin.git'),
      })) === 'amended',
  },
];

/** A client whose user gives `answers` in turn, and the questions that the user was asked. */
async function connectTo(workspace: Workspace, answers: readonly object[], protocolVersion: string) {
  const questions: string[] = [];
  const client = await workspace.connect({
    protocolVersion,
    directories: [workspace.root, workspace.allowed],
    allowRemote: true,
    elicit: async ({ message }: { message: string }) =>
      answers[questions.push(message.replaceAll(workspace.base, '')) - 1],
  } as never);
  return { client, questions };
}

const call = (workspace: Workspace, client: Client, { tool, args }: Destructive) =>
  workspace.callText(client, tool, { repo_path: workspace.root, ...args });

describe.each(destructive)('$what', (each) => {
  test.each(['2025-11-25', '2026-07-28'])(
    'at %s, the tool loses data only after the user has confirmed',
    async (version) => {
      using workspace = await Workspace.create({ 'a.txt': 'a\n' });
      await each.prepare(workspace);
      const before = await workspace.state();
      const refusals = [
        { action: 'accept', content: { confirm: false } },
        { action: 'decline' },
        { action: 'cancel' },
      ];
      const answers = [...refusals, { action: 'accept', content: { confirm: true } }];
      const { client, questions } = await connectTo(workspace, answers, version);
      await using _ = client;
      for (const refusal of refusals) {
        const done = await call(workspace, client, each);
        expect(done, JSON.stringify(refusal)).toBe('ERROR Not done: the user declined');
        expect(await each.lost(workspace), JSON.stringify(refusal)).toBe(false);
      }
      expect(await workspace.state()).toBe(before);
      expect(await call(workspace, client, each)).toMatch(each.answer);
      expect(await each.lost(workspace)).toBe(true);
      expect(questions).toEqual(answers.map(() => each.question));
    },
  );

  test('the tool is annotated as destructive, and asks no question of a client without elicitation', async () => {
    using workspace = await Workspace.create({ 'a.txt': 'a\n' });
    await each.prepare(workspace);
    await using client = await workspace.connect({
      directories: [workspace.root, workspace.allowed],
      allowRemote: true,
    });
    const tool = (await client.listTools()).find(({ name }) => name === each.tool);
    expect(tool?.annotations?.destructiveHint).toBe(true);
    expect(await call(workspace, client, each)).toMatch(each.answer);
    expect(await each.lost(workspace)).toBe(true);
  });
});

test('every tool that is annotated as destructive asks for confirmation', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await using client = await workspace.connect({ allowRemote: true });
  const annotated = (await client.listTools()).filter(({ annotations }) => annotations?.destructiveHint);
  expect(annotated.map(({ name }) => name).toSorted()).toEqual(
    [...new Set(destructive.map(({ tool }) => tool))].toSorted(),
  );
});
