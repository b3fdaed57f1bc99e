import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { factsOf, validatorsOf } from './structured-content.ts';
import { prepared } from './tool-walk.ts';
import { Workspace } from './workspace.ts';

const options = { history: true, allowRemote: true, structured: true };

/** Calls of every tool that lists, measures or reads. */
const calls = [
  ['git_status', {}],
  ['git_diff_unstaged', {}],
  ['git_diff_staged', { stat: true }],
  ['git_diff', { target: 'HEAD~1' }],
  ['git_diff', { target: 'HEAD..HEAD' }],
  ['git_log', {}],
  ['git_log', { full: true, stat: true, path: 'a.txt' }],
  ['git_log', { author: 'Nobody' }],
  ['git_log', { reflog: true }],
  ['git_branch', { branch_type: 'all' }],
  ['git_branch', { branch_type: 'tags' }],
  ['git_branch', { contains: 'HEAD', not_contains: 'HEAD' }],
  ['git_blame', { path: 'a.txt' }],
  ['git_blame', { path: 'a.txt', text: true, revision: 'HEAD' }],
  ['git_grep', { pattern: 'o' }],
  ['git_grep', { pattern: 'on.' }],
  ['git_stash', { action: 'list' }],
  ['git_stash', { action: 'show' }],
  ['git_worktree', { action: 'list' }],
  ['git_remote', {}],
  ['git_shortlog', { path: 'a.txt' }],
  ['git_submodule', {}],
  ['git_show', { revision: 'HEAD' }],
  ['git_show', { revision: 'HEAD', stat: true, paths: ['a.txt'] }],
  ['git_show', { revision: 'HEAD', paths: ['b.txt'] }],
  ['git_show', { revision: 'stash@{0}' }],
  ['git_show', { revision: 'v1' }],
  ['git_show', { revision: 'HEAD:a.txt' }],
  ['git_show', { revision: 'HEAD:' }],
  ['git_read_file', { path: '' }],
  ['git_read_file', { path: 'a.txt' }],
  ['git_read_file', { path: 'a.txt', start_line: 2 }],
  ['git_read_file', { path: 'b.bin', revision: ':0' }],
  ['git_bisect', { action: 'log' }],
] as const;

test('without --structured no tool has an output schema, and no answer structured content', async () => {
  using workspace = await prepared();
  await using client = await workspace.connect({ ...options, structured: false });
  expect((await client.listTools()).filter(({ outputSchema }) => outputSchema)).toEqual([]);
  expect((await client.callTool('git_status')).structuredContent).toBeUndefined();
});

test('with --structured every tool that lists or measures has an exact schema, and the same text as before', async () => {
  using workspace = await prepared();
  workspace.put('a.txt', 'one\ntwo\nthree\n');
  await workspace.git.stash(['push', '--quiet', '--message', 'work']);
  workspace.put('a.txt', 'one\n2\n');
  workspace.put('b.bin', Buffer.from([0, 1, 2]));
  await workspace.git.raw(['add', 'b.bin']);
  await workspace.git.raw(['mv', 'b.txt', 'ü "b".txt']);
  await workspace.git.addAnnotatedTag('v1', 'one');
  await workspace.git.addRemote('origin', 'https://user:secret@git.example/x.git');
  await using client = await workspace.connect(options);
  await using plain = await workspace.connect({ ...options, structured: false });
  const validators = await validatorsOf(client);
  const called = [...new Set<string>(calls.map(([tool]) => tool))];
  expect(called.toSorted(), 'A tool with an outputSchema needs a call in `calls`').toEqual(
    [...validators.keys()].toSorted(),
  );
  for (const { name, outputSchema } of await client.listTools()) {
    const count = (part: string) => JSON.stringify(outputSchema ?? {}).split(part).length;
    expect(count('"additionalProperties":false'), name).toBe(count('"type":"object"'));
  }
  for (const [tool, args] of calls) {
    const facts = await factsOf(client, tool, args);
    expect(JSON.stringify(facts)).not.toContain('secret');
    const { content } = await client.callTool(tool, { ...args });
    expect(content, tool).toEqual((await plain.callTool(tool, { ...args })).content);
  }
});

test('the facts are those of git, with names as git has them', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'one\ntwo\n', 'b.txt': 'b\n'.repeat(9) });
  workspace.put('a.txt', 'one\n2\nthree\n');
  workspace.put('x.bin', Buffer.from([0, 1, 2]));
  await workspace.git.raw(['add', 'x.bin']);
  await workspace.git.raw(['mv', 'b.txt', 'ü "b".txt']);
  await using client = await workspace.connect(options);
  const commit = await workspace.git.revparse('HEAD');
  expect(await factsOf(client, 'git_status')).toEqual({
    branch: 'main',
    commit,
    stashes: 0,
    files: [
      { path: 'a.txt', unstaged: 'modified' },
      { path: 'x.bin', staged: 'added' },
      { path: 'ü "b".txt', from: 'b.txt', staged: 'renamed' },
    ],
    total: 3,
  });
  expect(await factsOf(client, 'git_diff', { target: 'HEAD' })).toEqual({
    files: [
      { path: 'a.txt', added: 2, deleted: 1 },
      { path: 'x.bin' },
      { path: 'ü "b".txt', from: 'b.txt', added: 0, deleted: 0 },
    ],
  });
  expect(await factsOf(client, 'git_log', { full: true })).toEqual({
    commits: [
      {
        hash: commit,
        parents: [],
        author: 'Ada',
        email: 'ada@example.com',
        date: '2026-01-02T03:04:05Z',
        subject: 'first',
        message: 'first',
      },
    ],
  });
  expect(await factsOf(client, 'git_blame', { path: 'a.txt', revision: 'HEAD', text: true })).toMatchObject({
    ranges: [{ start_line: 1, end_line: 2, hash: commit, lines: ['one', 'two'] }],
  });
  expect(await factsOf(client, 'git_grep', { pattern: 'three' })).toEqual({
    matches: [{ path: 'a.txt', line: 3, text: 'three' }],
    more: false,
  });
  await client.callTool('git_stash', { action: 'save', message: 'work' });
  expect(await factsOf(client, 'git_stash', { action: 'list' })).toMatchObject({
    stashes: [{ index: 0, message: 'On main: work' }],
    total: 1,
  });
});

test('the JSON of an answer is bounded between rows, and its cursors lead through all of them', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const committer = 'committer Ada <ada@example.com> 1767323045 +0000\n';
  const commits = Array.from(
    { length: 600 },
    (_, at) =>
      `commit refs/heads/long\n${committer}data 2\ns\n${at === 0 ? 'from refs/heads/main^0\n' : ''}\n`,
  );
  await workspace.import(commits.join(''));
  await workspace.git.checkout('long');
  mkdirSync(join(workspace.root, 'd'));
  for (let at = 0; at < 900; at++)
    writeFileSync(join(workspace.root, 'd', `${'long-name-'.repeat(4)}${at}.txt`), 'x\n');
  await workspace.git.raw(['add', 'd']);
  await using client = await workspace.connect(options);
  for (const [tool, args, rows, count] of [
    ['git_log', { max_count: 1_000 }, 'commits', 601],
    ['git_log', { reflog: true, revision: 'long' }, 'movements', undefined],
    ['git_status', {}, 'files', 900],
    ['git_diff_staged', { stat: true }, 'files', 900],
    ['git_diff_staged', {}, 'files', 900],
  ] as const) {
    let found = 0;
    let pages = 0;
    for (let cursor: unknown; ; pages++) {
      const facts = await factsOf(client, tool, { ...args, ...(cursor !== undefined && { cursor }) });
      expect(JSON.stringify(facts).length, tool).toBeLessThanOrEqual(40_000);
      found += (facts[rows] as unknown[]).length;
      cursor = facts['next_cursor'];
      if (cursor === undefined) break;
    }
    if (count === undefined) continue;
    expect(found, tool).toBe(count);
    expect(pages, tool).toBeGreaterThan(0);
  }
});
