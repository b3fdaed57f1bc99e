import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Client } from '@mcp/protocol/testing';
import { Workspace } from './workspace.ts';

/** A call that would lose something, and how to see that it has. */
interface Destructive {
  readonly what: string;
  readonly arm: (workspace: Workspace) => void;
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly question: string;
  readonly answer: string | RegExp;
  readonly lost: (workspace: Workspace) => boolean;
}

/** Stops a merge at a conflict. */
function stopMerge(workspace: Workspace): void {
  workspace.git('checkout', '-q', '-b', 'other');
  workspace.commit('theirs', { 'a.txt': 'theirs\n' });
  workspace.git('checkout', '-q', 'main');
  workspace.commit('ours', { 'a.txt': 'ours\n' });
  expect(() => workspace.git('merge', 'other')).toThrow();
}

/** Stops a cherry-pick at a conflict. */
function stopPick(workspace: Workspace): void {
  stopMerge(workspace);
  workspace.git('merge', '--abort');
  expect(() => workspace.git('cherry-pick', 'other')).toThrow();
}

const destructive: readonly Destructive[] = [
  {
    what: 'a hard reset',
    arm: (workspace) => workspace.put('a.txt', 'changed\n'),
    tool: 'git_reset',
    args: { mode: 'hard' },
    question: 'Discard all changes to tracked files in /allowed/repo and go to "HEAD"?',
    answer: 'Reset (hard)',
    lost: (workspace) => workspace.read('a.txt') === 'a\n',
  },
  {
    what: 'restoring files',
    arm: (workspace) => workspace.put('a.txt', 'changed\n'),
    tool: 'git_restore',
    args: { paths: ['a.txt'] },
    question: 'Discard the changes in "a.txt" of /allowed/repo?',
    answer: 'Restored',
    lost: (workspace) => workspace.read('a.txt') === 'a\n',
  },
  {
    what: 'deleting a branch',
    arm: (workspace) => workspace.git('branch', 'topic'),
    tool: 'git_delete_branch',
    args: { branch_name: 'topic' },
    question: 'Delete the branch "topic" of /allowed/repo?',
    answer: 'Deleted branch "topic"',
    lost: (workspace) => workspace.git('branch', '--list', 'topic') === '',
  },
  {
    what: 'deleting a tag',
    arm: (workspace) => workspace.git('tag', 'v1'),
    tool: 'git_tag',
    args: { action: 'delete', name: 'v1' },
    question: 'Delete the tag "v1" of /allowed/repo?',
    answer: 'Deleted tag "v1"',
    lost: (workspace) => workspace.git('tag') === '',
  },
  {
    what: 'dropping a stash',
    arm: (workspace) => {
      workspace.put('a.txt', 'changed\n');
      workspace.git('stash');
    },
    tool: 'git_stash',
    args: { action: 'drop' },
    question: 'Drop stash 0 of /allowed/repo?',
    answer: 'dropped',
    lost: (workspace) => workspace.git('stash', 'list') === '',
  },
  {
    what: 'giving up a merge',
    arm: stopMerge,
    tool: 'git_integrate',
    args: { action: 'abort' },
    question: 'Lose what has been resolved in /allowed/repo (abort)?',
    answer: /^Done; main is at /,
    lost: (workspace) => !existsSync(join(workspace.root, '.git/MERGE_HEAD')),
  },
  {
    what: 'leaving out a commit',
    arm: stopPick,
    tool: 'git_integrate',
    args: { action: 'skip' },
    question: 'Lose what has been resolved in /allowed/repo (skip)?',
    answer: /^Done; main is at /,
    lost: (workspace) => !existsSync(join(workspace.root, '.git/CHERRY_PICK_HEAD')),
  },
  {
    what: 'removing a work tree',
    arm: (workspace) => workspace.git('worktree', 'add', '-q', '../tree'),
    tool: 'git_worktree',
    args: { action: 'remove', path: '../tree' },
    question: 'Remove the work tree "../tree"?',
    answer: /^\/allowed\/repo [0-9a-f]{10} main$/,
    lost: (workspace) => !existsSync(join(workspace.allowed, 'tree')),
  },
  {
    what: 'a forced push',
    arm: (workspace) => {
      workspace.gitIn(workspace.allowed, 'clone', '-q', '--bare', workspace.root, 'origin.git');
      workspace.git('remote', 'add', 'origin', `file://${workspace.allowed}/origin.git`);
      workspace.git('fetch', '-q', 'origin');
      workspace.git('commit', '-q', '--amend', '-m', 'amended');
    },
    tool: 'git_push',
    args: { force: true },
    question: 'Replace the current branch on the remote of /allowed/repo?',
    answer: 'Pushed main to origin/main',
    lost: (workspace) =>
      workspace.gitIn(join(workspace.allowed, 'origin.git'), 'log', '-1', '--format=%s', 'main') ===
      'amended',
  },
];

/** A client whose user gives one answer to everything, and what that user was asked. */
async function connectTo(workspace: Workspace, answer: object, protocolVersion?: string) {
  const asked: string[] = [];
  const client = await workspace.connect({
    ...(protocolVersion !== undefined && { protocolVersion }),
    directories: [workspace.root, workspace.allowed],
    allowRemote: true,
    elicit: async ({ message }: { message: string }) => {
      asked.push(message.replaceAll(workspace.base, ''));
      return answer;
    },
  } as never);
  return { client, asked };
}

const call = (workspace: Workspace, client: Client, { tool, args }: Destructive) =>
  workspace.say(client, tool, { repo_path: workspace.root, ...args });

describe.each(destructive)('$what', (each) => {
  test.each(['2025-11-25', '2026-07-28'])('happens only when the user agrees, at %s', async (version) => {
    using workspace = new Workspace({ 'a.txt': 'a\n' });
    each.arm(workspace);
    const before = workspace.state;
    for (const answer of [
      { action: 'accept', content: { confirm: false } },
      { action: 'decline' },
      { action: 'cancel' },
    ]) {
      const { client, asked } = await connectTo(workspace, answer, version);
      await using _ = client;
      expect(await call(workspace, client, each)).toBe('ERROR Not done: the user declined');
      expect(asked).toEqual([each.question]);
      expect(each.lost(workspace)).toBe(false);
      expect(workspace.state).toBe(before);
    }
    const yes = await connectTo(workspace, { action: 'accept', content: { confirm: true } }, version);
    await using client = yes.client;
    expect(await call(workspace, client, each)).toMatch(each.answer);
    expect(yes.asked).toEqual([each.question]);
    expect(each.lost(workspace)).toBe(true);
  });

  test('is done without a question where the client has no elicitation, and the tool is annotated as destructive', async () => {
    using workspace = new Workspace({ 'a.txt': 'a\n' });
    each.arm(workspace);
    await using client = await workspace.connect({
      directories: [workspace.root, workspace.allowed],
      allowRemote: true,
    });
    const tool = (await client.listTools()).find(({ name }) => name === each.tool);
    expect(tool?.annotations?.destructiveHint).toBe(true);
    expect(await call(workspace, client, each)).toMatch(each.answer);
    expect(each.lost(workspace)).toBe(true);
  });
});

test('every tool that is annotated as destructive asks for confirmation', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  await using client = await workspace.connect({ allowRemote: true });
  const annotated = (await client.listTools()).filter(({ annotations }) => annotations?.destructiveHint);
  expect(annotated.map(({ name }) => name).toSorted()).toEqual(
    [...new Set(destructive.map(({ tool }) => tool))].toSorted(),
  );
});
