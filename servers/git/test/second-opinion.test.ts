import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import type { Client } from '@mcp/protocol/testing';
import type { DiffResult, StatusResult } from 'simple-git';
import { expect, test, vi } from 'vitest';
import { type EntryFacts, named } from './facts.ts';
import { Workspace } from './workspace.ts';

// They generate repositories and read them twice.
vi.setConfig({ testTimeout: 120_000 });

/** Names that simple-git reports unquoted everywhere; then names that it quotes in a diff summary. */
const plainNames = ['a.txt', 'b c.txt', 'dir/d.txt', 'x -> y.txt', '-dash.txt', ':colon'];
const quotedNames = ['ü.txt', 'tab\tname', '"quote"'];

const name = fc.constantFrom(...plainNames, ...quotedNames);
const content = fc.constantFrom('one\ntwo\nthree\n', 'one\n2\nthree\nfour\n', '', 'no line break', 'a\0b');
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('write' as const), name, content }) },
  fc.record({ kind: fc.constant('remove' as const), name }),
  fc.record({ kind: fc.constant('rename' as const), name, to: name }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('stage' as const), name }) },
  fc.record({ kind: fc.constant('commit' as const), message: fc.constantFrom('s', 's\n\nb', 'ü\n\nx\ny') }),
  fc.record({ kind: fc.constant('branch' as const), branch: fc.constantFrom('topic', 'feature/ü') }),
  fc.record({ kind: fc.constant('tag' as const), tag: fc.constantFrom('v1', 'v1.10') }),
  fc.record({ kind: fc.constant('annotated' as const), tag: fc.constantFrom('v2', 'v2.0') }),
  fc.record({ kind: fc.constant('stash' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Does one step with simple-git; one that git refuses changes nothing. */
async function perform(workspace: Workspace, each: Step): Promise<void> {
  const git = workspace.git;
  const at = (path: string) => join(workspace.root, path);
  switch (each.kind) {
    case 'write':
      workspace.put(each.name, each.content);
      return;
    case 'remove':
      return rmSync(at(each.name), { force: true });
    case 'rename':
      mkdirSync(dirname(at(each.to)), { recursive: true });
      try {
        renameSync(at(each.name), at(each.to));
      } catch {
        // There is no such file.
      }
      return;
    case 'stage':
      await git.raw(['--literal-pathspecs', 'add', '--all', '--', each.name]).catch(() => {});
      return;
    case 'commit':
      await git.commit(each.message).catch(() => {});
      return;
    case 'branch':
      await git.branch([each.branch]).catch(() => {});
      return;
    case 'tag':
      await git.addTag(each.tag).catch(() => {});
      return;
    case 'annotated':
      await git.addAnnotatedTag(each.tag, 'message').catch(() => {});
      return;
    case 'stash':
      await git.stash(['push', '--include-untracked']);
  }
}

const byPath = (one: { path: string }, other: { path: string }) => (one.path < other.path ? -1 : 1);

/** Our status in the form of simple-git's. */
function ourFiles(entries: readonly EntryFacts[]) {
  return entries
    .map(({ path, from, sides }) => ({
      path,
      index: sides[0],
      working_dir: sides[1],
      ...(from !== undefined && { from }),
    }))
    .toSorted(byPath);
}

function theirFiles({ files }: StatusResult) {
  return files
    .map(({ path, index, working_dir, from }) => ({
      path,
      index,
      working_dir,
      ...(from !== undefined && { from }),
    }))
    .toSorted(byPath);
}

/** The lines of counts at the start of our diff, for names that simple-git does not quote. */
function ourSummary(diff: string) {
  const lines = diff.split('\n\ndiff --git ')[0]!.split('\n');
  return lines
    .map((line) => /^(\d+|-)\t(\d+|-)\t(.*)$/.exec(line))
    .filter((match) => match !== null)
    .map(([, insertions, deletions, file = '']) => ({ file: named(file), insertions, deletions }))
    .filter(({ file }) => plainNames.includes(file));
}

function theirSummary({ files }: DiffResult) {
  return files
    .map((file) =>
      file.binary
        ? { file: file.file, insertions: '-', deletions: '-' }
        : { file: file.file, insertions: String(file.insertions), deletions: String(file.deletions) },
    )
    .filter(({ file }) => plainNames.includes(file));
}

const utc = (date: string) => date.replace(/\+00:00$/, 'Z');

async function compare(workspace: Workspace, client: Client): Promise<void> {
  const git = workspace.git;
  const status = await git.status();
  const ours = await workspace.status(client);
  expect(ourFiles(ours.entries)).toEqual(theirFiles(status));
  expect([ours.branch, ours.total]).toEqual([status.current, status.files.length]);

  const log = await git.log();
  const { commits } = await workspace.log(client, { max_count: 1_000 });
  expect(commits).toMatchObject(
    log.all.map(({ hash, date, message, body, author_name, author_email }) => ({
      hash,
      authored: utc(date),
      message: (body === '' ? message : `${message}\n\n${body}`).trimEnd(),
      author: { name: author_name, email: author_email },
    })),
  );
  expect(commits).toHaveLength(log.total);

  const { branches } = await git.branch();
  const listed = await workspace.refs(client);
  expect(listed.map((ref) => [ref.name, ref.commit.slice(0, 7), ref.current, ref.subject])).toEqual(
    Object.values(branches).map(({ name: branch, commit, current, label }) => [
      branch,
      commit.slice(0, 7),
      current,
      label,
    ]),
  );
  const tags = await workspace.refs(client, { branch_type: 'tags' });
  expect(tags.map((ref) => ref.name).toSorted()).toEqual((await git.tags()).all.toSorted());

  const stashes = (await workspace.callText(client, 'git_stash', { action: 'list' }))
    .split('\n')
    .slice(0, -1);
  const theirs = await git.stashList();
  expect(stashes).toEqual(
    theirs.all.map(
      ({ hash, date, message }, index) => `${index}: ${hash.slice(0, 10)} ${date.slice(0, 10)} ${message}`,
    ),
  );

  // simple-git leaves files in conflict out of a diff summary.
  const counted = async (tool: string) =>
    ourSummary(await workspace.callText(client, tool)).filter(
      ({ file }) => !status.conflicted.includes(file),
    );
  expect(await counted('git_diff_unstaged')).toEqual(theirSummary(await git.diffSummary()));
  expect(await counted('git_diff_staged')).toEqual(theirSummary(await git.diffSummary(['--cached'])));

  const tree = await git.raw(['ls-tree', '-r', '-z', '--name-only', 'HEAD']);
  for (const path of tree.split('\0').filter(Boolean)) {
    const read = await workspace.callText(client, 'git_read_file', { path });
    const shown = await git.show([`HEAD:${path}`]);
    expect(shown.includes('\0') ? `Binary file of ${shown.length} bytes` : shown).toBe(
      shown.includes('\0') ? read.split(':')[0] : read,
    );
  }
}

test('simple-git and the server agree on status, log, branches, tags, stashes, diff summaries and files of generated repositories', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 18 }), async (steps) => {
      using workspace = await Workspace.create({ 'a.txt': 'one\ntwo\nthree\n', 'dir/d.txt': 'd\n' });
      for (const each of steps) await perform(workspace, each);
      await using client = await workspace.connect();
      await compare(workspace, client);
    }),
    { numRuns: 12 },
  );
});

test('simple-git and the server agree on a rename and on each kind of conflict', async () => {
  using workspace = await Workspace.create({
    'a.txt': 'base\n',
    'gone.txt': 'base\n',
    'old name.txt': 'x\ny\nz\n',
  });
  const git = workspace.git;
  await git.checkoutLocalBranch('other');
  workspace.put('a.txt', 'theirs\n');
  workspace.put('gone.txt', 'theirs\n');
  workspace.put('both.txt', 'theirs\n');
  await git.add('.');
  await git.commit('theirs');
  await git.checkout('main');
  workspace.put('a.txt', 'ours\n');
  workspace.put('both.txt', 'ours\n');
  await git.rm('gone.txt');
  await git.mv('old name.txt', 'new -> name.txt');
  await git.add('.');
  await git.commit('ours');
  await expect(git.merge(['other'])).rejects.toThrow('CONFLICT');
  await using client = await workspace.connect();
  await compare(workspace, client);
  const { conflicted } = await git.status();
  expect(conflicted.toSorted()).toEqual(['a.txt', 'both.txt', 'gone.txt']);
  const { entries } = await workspace.status(client);
  expect(entries.map(({ path, sides }) => [path, sides])).toEqual([
    ['a.txt', 'UU'],
    ['both.txt', 'AA'],
    ['gone.txt', 'DU'],
  ]);
});

test.each(quotedNames)(
  'git_status returns the exact name %j, which simple-git quotes in a diff summary',
  async (odd) => {
    using workspace = await Workspace.create({ [odd]: 'a\n' });
    workspace.put(odd, 'b\n');
    await using client = await workspace.connect();
    const [file] = (await workspace.git.diffSummary()).files;
    expect(file!.file).not.toBe(odd);
    expect((await workspace.status(client)).entries).toEqual([{ sides: ' M', path: odd }]);
  },
);

test('git_status keeps the bytes of a name that is not UTF-8, which simple-git loses', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const { writeFileSync } = process.getBuiltinModule('node:fs');
  writeFileSync(Buffer.concat([Buffer.from(`${workspace.root}/x`), Buffer.from([0xff])]), '');
  await using client = await workspace.connect();
  expect((await workspace.git.status()).not_added).toEqual(['x\ufffd']);
  expect((await workspace.status(client)).entries).toEqual([{ sides: '??', path: 'x\\xff' }]);
});
