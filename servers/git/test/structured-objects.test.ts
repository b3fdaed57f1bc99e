import { expect, test } from 'vitest';
import { factsOf } from './structured-content.ts';
import { Workspace } from './workspace.ts';

const options = { history: true, structured: true };

test('git_show and git_read_file have the commit, its files, the entries and the exact text', async () => {
  using workspace = await Workspace.create({ 'd/a.txt': 'one\r\n"two"\n\u{202e}', 'd/e/b.txt': 'b\n' });
  const parent = await workspace.git.revparse('HEAD');
  const hash = await workspace.commit('Subject\n\nBody', { 'd/a.txt': 'one\n', 'x.bin': '\0' });
  await workspace.git.addAnnotatedTag('v1', 'release');
  await using client = await workspace.connect(options);
  const person = { author: 'Ada', email: 'ada@example.com' };
  const commit = { hash, parents: [parent], ...person, date: '2026-01-02T03:04:05Z', subject: 'Subject' };
  const shown = {
    commit: { ...commit, message: 'Subject\n\nBody' },
    files: [{ path: 'd/a.txt', added: 1, deleted: 3 }, { path: 'x.bin' }],
  };
  expect(await factsOf(client, 'git_show', { revision: 'HEAD' })).toEqual(shown);
  expect(await factsOf(client, 'git_show', { revision: 'HEAD', paths: ['d/e'] })).toMatchObject({
    files: [],
  });
  expect(await factsOf(client, 'git_show', { revision: 'v1' })).toMatchObject({
    tags: [{ name: 'v1', target: hash, ...person, message: 'release' }],
    ...shown,
  });
  const entries = [
    { name: 'a.txt', kind: 'file' },
    { name: 'e', kind: 'directory' },
  ];
  expect(await factsOf(client, 'git_show', { revision: 'HEAD:d' })).toEqual({ entries, total: 2 });
  expect(await factsOf(client, 'git_show', { revision: 'HEAD~1:d/a.txt' })).toEqual({
    text: 'one\r\n"two"\n\\u{202e}',
  });
  expect(await factsOf(client, 'git_read_file', { path: 'd' })).toEqual({
    kind: 'directory',
    entries,
    total: 2,
  });
  const old = { path: 'd/a.txt', revision: 'HEAD~1' };
  const file = { kind: 'file', size: 14, text: 'one\r\n"two"\n\u{202e}', start_line: 1 };
  expect(await factsOf(client, 'git_read_file', old)).toEqual(file);
  expect(await factsOf(client, 'git_read_file', { ...old, start_line: 2 })).toEqual({
    ...file,
    text: '"two"\n\u{202e}',
    start_line: 2,
  });
  expect(await factsOf(client, 'git_read_file', { path: 'x.bin' })).toEqual({ kind: 'file', size: 1 });
});

test('git_bisect has its step, its verdicts and its end', async () => {
  using workspace = await Workspace.create({ 'a.txt': '0\n' });
  const hashes = [await workspace.git.revparse('HEAD')];
  for (const at of [1, 2, 3]) hashes.push(await workspace.commit(`step ${at}`, { 'a.txt': `${at}\n` }));
  await using client = await workspace.connect(options);
  const bisect = (args: object) => factsOf(client, 'git_bisect', args);
  expect(await bisect({ action: 'log' })).toEqual({ verdicts: [], total: 0 });
  const test = {
    step: 'test',
    start: 'main',
    candidates: 3,
    commit: expect.stringMatching(/^[0-9a-f]{40}$/),
  };
  const first = await bisect({ action: 'start', good: hashes[0] });
  expect(first).toEqual(test);
  expect(await bisect({ action: 'next' })).toEqual(first);
  const skipped = [hashes[1], hashes[2]];
  await bisect({ action: 'skip', revision: skipped[0] });
  expect(await bisect({ action: 'skip', revision: skipped[1] })).toEqual({
    step: 'skipped',
    start: 'main',
    commits: expect.arrayContaining(hashes.slice(1)),
    total: 3,
  });
  expect(await bisect({ action: 'good', revision: hashes[1] })).toMatchObject({ step: 'skipped', total: 2 });
  expect(await bisect({ action: 'good', revision: hashes[2] })).toEqual({
    step: 'found',
    commit: hashes[3],
    start: 'main',
  });
  expect(await bisect({ action: 'log' })).toMatchObject({
    verdicts: expect.arrayContaining([
      { verdict: 'good', hash: hashes[1], subject: 'step 1' },
      { verdict: 'first bad commit', hash: hashes[3], subject: 'step 3' },
    ]),
  });
  expect(await bisect({ action: 'reset' })).toMatchObject({
    good: expect.arrayContaining([hashes[0]]),
    bad: hashes[3],
  });
});

test('the JSON of a commit and of a file is bounded, and its pages lead through the whole', async () => {
  const lines = Array.from({ length: 4_000 }, (_, line) => `"${line}"\t${'\\'.repeat(line % 20)}`);
  const text = `${lines.join('\n')}\n`;
  using workspace = await Workspace.create({ 'quotes.txt': text, 'bell.txt': '\u0007'.repeat(60_000) });
  const files = Array.from(
    { length: 900 },
    (_, at) => [`d/${'long-name-'.repeat(4)}${at}.txt`, 'x\n'] as const,
  );
  await workspace.commit(`Subject\n\n${'"word" '.repeat(10_000)}`, Object.fromEntries(files));
  await using client = await workspace.connect(options);
  const bounded = async (tool: string, args: object) => {
    const facts = await factsOf(client, tool, args);
    expect(JSON.stringify(facts).length, tool).toBeLessThanOrEqual(40_000);
    return facts;
  };
  const pages = async (tool: string, args: object, next: string, argument: string) => {
    const all: Record<string, unknown>[] = [];
    for (let from: unknown; ;) {
      all.push(await bounded(tool, { ...args, ...(from !== undefined && { [argument]: from }) }));
      from = all.at(-1)![next];
      if (from === undefined) return all;
    }
  };
  const read = await pages('git_read_file', { path: 'quotes.txt' }, 'next_line', 'start_line');
  expect(read.map((page) => page['text']).join('')).toBe(text);
  const shown = await pages('git_show', { revision: 'HEAD:quotes.txt' }, 'next_cursor', 'cursor');
  expect(shown.map((page) => page['text']).join('')).toBe(text);
  const commit = await pages('git_show', { revision: 'HEAD', stat: true }, 'next_cursor', 'cursor');
  expect(commit.flatMap((page) => page['files'] as unknown[])).toHaveLength(900);
  expect(commit[0]!['commit']).toMatchObject({ message: expect.stringMatching(/^Subject\n\n"word" /) });
  expect(await bounded('git_read_file', { path: 'bell.txt' })).toMatchObject({ cut: true });
  await bounded('git_show', { revision: 'HEAD:bell.txt' });
  expect(await bounded('git_read_file', { path: 'd' })).toMatchObject({ total: 900 });
});
