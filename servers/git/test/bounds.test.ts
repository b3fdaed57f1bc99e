import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

const max = 40_000;

/** A repository in which every answer could be long. */
async function long() {
  const workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const line = 'x'.repeat(120);
  const committer = 'committer Ada <ada@example.com> 1767323045 +0000\n';
  const message = `${'subject '.repeat(30)}\n\n${'body\n'.repeat(3_000)}`;
  const commits = Array.from(
    { length: 400 },
    (_, at) =>
      `commit refs/heads/long\n${committer}data ${message.length}\n${message}${at === 0 ? 'from main\n' : ''}M 100644 inline many.txt\ndata <<E\n${line} ${at}\n${`${line}\n`.repeat(at === 399 ? 2_000 : 1)}E\n\n`,
  );
  await workspace.import(commits.join('').replace('from main\n', 'from refs/heads/main^0\n'));
  await workspace.git.checkout('long');
  for (let at = 0; at < 400; at++) workspace.put(`${'long-name-'.repeat(15)}${at}.txt`, 'x\n');
  for (let at = 0; at < 300; at++)
    await Promise.all([]).then(() =>
      workspace.put(`.git/refs/heads/${'b'.repeat(180)}${at}`, workspace.read('.git/refs/heads/long')),
    );
  return workspace;
}

test('no answer is longer than 40,000 characters, and each says how to go on', async () => {
  using workspace = await long();
  await using client = await workspace.connect();
  for (const [tool, args, next] of [
    ['git_log', { max_count: 1_000 }, /… more with cursor "\S+"$/],
    ['git_log', { max_count: 1_000, full: true }, /… more with cursor "\S+"$/],
    ['git_log', { max_count: 1_000, patch: true }, /… more with cursor "\S+"$/],
    ['git_status', {}, /… 400 in total; more with cursor "\S+"$/],
    ['git_show', { revision: 'HEAD' }, /… more with cursor "\S+"$/],
    ['git_show', { revision: 'HEAD:many.txt' }, /… more with cursor "\S+"$/],
    ['git_diff', { target: 'main' }, /… more with cursor "\S+"$/],
    ['git_branch', {}, /… 302 in total; more with cursor "\S+"$/],
    ['git_blame', { path: 'many.txt', text: true }, /more with start_line \d+$/],
    ['git_grep', { pattern: 'x' }, /^… more than \d+ match; narrow the pattern or the paths$/m],
    ['git_read_file', { path: 'many.txt' }, /… lines 1 to \d+ of 2001; more with start_line \d+/],
    ['git_read_file', { path: 'many.txt', start_line: 2 }, /^2\tx{120}\n[^]*more with start_line \d+/],
  ] as const) {
    const text = await workspace.callText(client, tool, { ...args });
    expect(text.length, `${tool} ${JSON.stringify(args)}`).toBeLessThanOrEqual(max);
    expect(text.slice(-400), `${tool} ${JSON.stringify(args)}`).toMatch(
      tool === 'git_read_file' ? /more with start_line/ : next,
    );
  }
});

test('every page of a log and of a file together are the whole', async () => {
  using workspace = await long();
  await using client = await workspace.connect();
  const commits: string[] = [];
  for (let cursor: string | undefined; ;) {
    const text = await workspace.callText(client, 'git_log', { max_count: 300, ...(cursor && { cursor }) });
    commits.push(...text.split('\n').filter((line) => / Ada: | : subject/.test(line)));
    cursor = /cursor "(\S+)"$/.exec(text)?.[1];
    if (cursor === undefined) break;
  }
  expect(commits).toHaveLength(401);
  expect(new Set(commits.map((line) => line.slice(0, 10)))).toHaveProperty('size', 401);
  const lines: string[] = [];
  for (let start_line: number | undefined = 1; start_line !== undefined;) {
    const { content } = await client.callTool('git_read_file', { path: 'many.txt', start_line });
    const [{ text = '' } = {}] = content as readonly { text?: string }[];
    lines.push(...text.split('\n').filter((line) => /^\d+\t/.test(line)));
    const next: string | undefined = /start_line (\d+)$/.exec(text)?.[1];
    start_line = next === undefined ? undefined : Number(next);
  }
  expect(lines.map((line) => Number(line.split('\t')[0]))).toEqual(
    Array.from({ length: 2_001 }, (_, at) => at + 1),
  );
});

test('the instructions have the size that every conversation pays for', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await using client = await workspace.connect();
  const { length } = client.instructions ?? '';
  expect(length).toBeGreaterThan(400);
  expect(length - workspace.root.length).toBeLessThan(600);
});
