import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Client } from '@mcp/protocol/testing';
import { Workspace } from './workspace.ts';

async function facts(client: Client, tool: string, args: Record<string, unknown> = {}) {
  const { structuredContent, content, isError } = await client.callTool(tool, args);
  if (isError) throw new Error(JSON.stringify(content));
  // oxlint-disable-next-line typescript/no-explicit-any
  return structuredContent as any;
}

test('G63 an empty repository is a state, not an error', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  expect(await facts(client, 'git_status')).toEqual({
    branch: 'main',
    detached: false,
    stashes: 0,
    entries: [],
    total: 0,
  });
  expect(await facts(client, 'git_log')).toEqual({ commits: [] });
  expect(await facts(client, 'git_branch')).toEqual({ branches: [], total: 0 });
  expect(await workspace.say(client, 'git_diff_unstaged')).toBe('Nothing is changed but what is staged');
  expect(await workspace.say(client, 'git_diff_staged')).toBe('Nothing is staged');
  expect(await workspace.say(client, 'git_show', { revision: 'HEAD' })).toMatch(/^ERROR /);
  workspace.put('a.txt', 'a\n');
  await client.callTool('git_add', { files: ['a.txt'] });
  expect(await workspace.say(client, 'git_diff_staged')).toContain('+a');
  expect(await workspace.say(client, 'git_reset')).toBe('Nothing is staged any more');
  await client.callTool('git_add', { files: ['a.txt'] });
  expect(await workspace.say(client, 'git_commit', { message: 'root' })).toContain('Committed on main');
});

test('G64 HEAD may be detached, or on a branch without commits', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  await using client = await workspace.connect();
  const commit = workspace.git('rev-parse', 'HEAD');
  expect(await workspace.say(client, 'git_checkout', { branch_name: commit })).toBe(
    `HEAD is detached at "${commit}"`,
  );
  expect(await facts(client, 'git_status')).toMatchObject({ detached: true, commit });
  workspace.git('checkout', '-q', '--orphan', 'empty');
  const state = await facts(client, 'git_status');
  expect(state).toMatchObject({ branch: 'empty', detached: false });
  expect(state).not.toHaveProperty('commit');
});

/** A repository in which `main` and `other` change the same line. */
function conflicting(): Workspace {
  const workspace = new Workspace({ 'a.txt': 'base\n', 'gone.txt': 'base\n' });
  workspace.git('checkout', '-q', '-b', 'other');
  workspace.commit('theirs', { 'a.txt': 'theirs\n', 'gone.txt': 'theirs\n', 'both.txt': 'theirs\n' });
  workspace.git('checkout', '-q', 'main');
  rmSync(join(workspace.root, 'gone.txt'));
  workspace.commit('ours', { 'a.txt': 'ours\n', 'both.txt': 'ours\n' });
  return workspace;
}

test('G65 conflicts are told with their sides, in a merge, a rebase, a cherry-pick and a revert', async () => {
  using workspace = conflicting();
  await using client = await workspace.connect();
  const before = workspace.state;
  for (const action of ['merge', 'rebase', 'cherry-pick'] as const) {
    const stopped = await facts(client, 'git_integrate', { action, revision: 'other' });
    expect(stopped).toMatchObject({
      outcome: 'stopped',
      operation: action,
      conflicts: [
        { path: 'a.txt', sides: 'UU' },
        { path: 'both.txt', sides: 'AA' },
        { path: 'gone.txt', sides: action === 'rebase' ? 'UD' : 'DU' },
      ],
    });
    expect(await facts(client, 'git_status')).toMatchObject({ operation: action });
    expect(await workspace.say(client, 'git_integrate', { action: 'merge', revision: 'other' })).toBe(
      `ERROR A ${action} is in progress: continue or abort it first`,
    );
    expect(await facts(client, 'git_integrate', { action: 'abort' })).toMatchObject({ conflicts: [] });
    expect(workspace.state).toBe(before);
  }
  expect(await workspace.say(client, 'git_integrate', { action: 'continue' })).toContain(
    'ERROR Nothing to continue',
  );

  await client.callTool('git_integrate', { action: 'merge', revision: 'other' });
  workspace.put('a.txt', 'both\n');
  await client.callTool('git_add', { files: ['a.txt', 'both.txt', 'gone.txt'] });
  expect(await facts(client, 'git_integrate', { action: 'continue' })).toMatchObject({
    outcome: 'done',
    conflicts: [],
  });
  expect(workspace.git('rev-list', '--parents', '-1', 'HEAD').split(' ')).toHaveLength(3);

  const reverted = await facts(client, 'git_integrate', { action: 'revert', revision: 'HEAD~1' });
  expect(reverted.operation ?? 'none').toMatch(/revert|none/);
});

test('G65 a bisect in progress is told', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  workspace.commit('second');
  workspace.commit('third');
  workspace.git('bisect', 'start');
  workspace.git('bisect', 'bad');
  workspace.git('bisect', 'good', 'HEAD~2');
  await using client = await workspace.connect();
  expect(await facts(client, 'git_status')).toMatchObject({ operation: 'bisect', detached: true });
});

test('G66 a bare, a shallow, a sha256 and a sparse repository, and a linked work tree', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n', 'sub/b.txt': 'b\n' });
  workspace.commit('second', { 'a.txt': 'b\n' });
  const { bound } = workspace;
  workspace.gitIn(bound, 'clone', '-q', '--bare', workspace.root, 'bare.git');
  workspace.gitIn(bound, 'clone', '-q', '--depth=1', `file://${workspace.root}`, 'shallow');
  workspace.gitIn(bound, 'init', '-q', '--object-format=sha256', 'long');
  writeFileSync(join(bound, 'long/x.txt'), 'x\n');
  workspace.gitIn(join(bound, 'long'), 'add', '-A');
  workspace.gitIn(join(bound, 'long'), 'commit', '-q', '-m', 'long');
  workspace.git('worktree', 'add', '-q', join(bound, 'tree'), '-b', 'in-tree');
  workspace.git('sparse-checkout', 'set', 'sub');
  await using client = await workspace.connect({ directories: [bound, join(bound, 'bare.git')] });
  const log = async (repo_path: string) =>
    (await facts(client, 'git_log', { repo_path })).commits.map(
      (commit: { message: string }) => commit.message,
    );
  expect(await log('bare.git')).toEqual(['second', 'first']);
  expect(await log('shallow')).toEqual(['second']);
  expect(await log('long')).toEqual(['long']);
  expect(await log('tree')).toEqual(['second', 'first']);
  expect(await workspace.say(client, 'git_status', { repo_path: 'bare.git' })).toMatch(/^ERROR .*work tree/);
  expect(await workspace.say(client, 'git_read_file', { repo_path: 'long', path: '' })).toBe('x.txt');
  expect(await workspace.say(client, 'git_blame', { repo_path: 'long', path: 'x.txt' })).toContain('1\tx');
  expect((await facts(client, 'git_status', { repo_path: 'repo' })).entries).toEqual([]);
  const { worktrees } = await facts(client, 'git_worktree', { repo_path: 'tree', action: 'list' });
  expect(worktrees.map(({ branch }: { branch: string }) => branch)).toEqual(['main', 'in-tree']);
  await using alone = await workspace.connect({ directories: [join(bound, 'repo')] });
  expect(await workspace.say(alone, 'git_log')).toContain('second');
});

test('G66 objects that were not fetched are missed, and not fetched', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  workspace.git('config', 'uploadpack.allowFilter', 'true');
  workspace.gitIn(
    workspace.bound,
    'clone',
    '-q',
    '--no-checkout',
    '--filter=blob:none',
    `file://${workspace.root}`,
    'partial',
  );
  await using client = await workspace.connect({ directories: [workspace.bound] });
  expect(await workspace.say(client, 'git_log', { repo_path: 'partial' })).toContain('first');
  expect(await workspace.say(client, 'git_read_file', { repo_path: 'partial', path: 'a.txt' })).toMatch(
    /^ERROR /,
  );
});

test('G67 a stale lock is told of and left alone', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  workspace.put('b.txt', 'b\n');
  const lock = join(workspace.root, '.git/index.lock');
  writeFileSync(lock, '');
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'git_add', { files: ['b.txt'] })).toMatch(
    /^ERROR Another git process is at work/,
  );
  expect(existsSync(lock)).toBe(true);
  expect(await workspace.say(client, 'git_status')).toContain('?? b.txt');
});

test('G67 a corrupt object, garbage in packed-refs and a missing HEAD are errors that say so', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  await using client = await workspace.connect();
  const blob = workspace.git('rev-parse', 'HEAD:a.txt');
  const object = join(workspace.root, '.git/objects', blob.slice(0, 2), blob.slice(2));
  chmodSync(object, 0o644);
  truncateSync(object, 3);
  expect(await workspace.say(client, 'git_show', { revision: blob })).toMatch(
    /^ERROR (The repository is damaged|Git refused)/,
  );
  writeFileSync(join(workspace.root, '.git/packed-refs'), 'garbage\n');
  expect(await workspace.say(client, 'git_branch')).toMatch(/^ERROR Git refused: .*packed-refs/);
  rmSync(join(workspace.root, '.git/packed-refs'));
  rmSync(join(workspace.root, '.git/HEAD'));
  expect(await workspace.say(client, 'git_log')).toMatch(/^ERROR /);
});

test('G68 renames, copies, types and modes are told with both names', async () => {
  using workspace = new Workspace({
    'old.txt': 'some\nlines\nof\ntext\n',
    'type.txt': 'x',
    'mode.sh': '#!/bin/sh\n',
    'case.txt': 'c\n',
  });
  workspace.git('mv', 'old.txt', 'new.txt');
  workspace.git('mv', 'case.txt', 'CASE.txt');
  rmSync(join(workspace.root, 'type.txt'));
  symlinkSync('new.txt', join(workspace.root, 'type.txt'));
  chmodSync(join(workspace.root, 'mode.sh'), 0o755);
  workspace.git('add', '-A');
  await using client = await workspace.connect();
  const { entries } = await facts(client, 'git_status');
  expect(entries).toEqual([
    { path: 'CASE.txt', from: 'case.txt', staged: 'renamed' },
    { path: 'mode.sh', staged: 'modified', modes: '100644 → 100755' },
    { path: 'new.txt', from: 'old.txt', staged: 'renamed' },
    { path: 'type.txt', staged: 'type-changed', modes: '100644 → 120000' },
  ]);
  expect(await workspace.say(client, 'git_status')).toContain('R  old.txt -> new.txt');
});

test('G69 names are exact in facts, escaped in text, and work as arguments', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  const names = ['new\nline.txt', 'tab\there', 'quo"te', 'ünïcode', ' leading', 'a -> b', '? forged'];
  for (const name of names) workspace.put(name, 'x\n');
  await using client = await workspace.connect();
  const { entries } = await facts(client, 'git_status');
  expect(entries.map(({ path }: { path: string }) => path).toSorted()).toEqual(names.toSorted());
  expect(await workspace.say(client, 'git_status')).toContain('?? new\\nline.txt');
  for (const name of names) expect(await workspace.say(client, 'git_add', { files: [name] })).toBe('Staged');
  await client.callTool('git_commit', { message: 'm' });
  for (const name of names.slice(1))
    expect(await workspace.say(client, 'git_read_file', { path: name })).toBe('x\n');
  writeFileSync(Buffer.concat([Buffer.from(`${workspace.root}/bad`), Buffer.from([0xff])]), 'x');
  expect((await facts(client, 'git_status')).entries).toEqual([{ path: 'bad\\xff', untracked: true }]);
});

test('G70 a message forges no commit, whatever it holds', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  const forged = `x\n\n${'0'.repeat(40)}\n%x00%H\n\u001e\u001f\ncommit ${'1'.repeat(40)}\nAuthor: Eve <eve@x>`;
  workspace.commit(forged);
  await using client = await workspace.connect();
  const { commits } = await facts(client, 'git_log');
  expect(commits).toHaveLength(2);
  expect(commits[0]).toMatchObject({ message: forged, author: { name: 'Ada' } });
  const shown = await workspace.say(client, 'git_show', { revision: 'HEAD' });
  expect(shown.split('\n').filter((line) => line.startsWith('commit '))).toHaveLength(1);
  expect((await workspace.say(client, 'git_log')).split('\n')).toHaveLength(2);
});

test('G71 G72 times and encodings', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  const at = (date: string, message: string) =>
    execFileSync('git', ['commit', '-q', '--allow-empty', '-m', message], {
      cwd: workspace.root,
      env: { ...workspace.environment, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    });
  at('2026-03-01T00:00:00Z', 'march');
  at('2026-04-01T00:00:00Z', 'april');
  at('2026-05-01T00:00:00Z', 'may');
  await using client = await workspace.connect();
  const { commits } = await facts(client, 'git_log', {
    start_timestamp: '2026-02-15',
    end_timestamp: '2026-04-15',
  });
  expect(
    commits.map(({ message, authored }: { message: string; authored: string }) => [message, authored]),
  ).toEqual([
    ['april', '2026-04-01T00:00:00Z'],
    ['march', '2026-03-01T00:00:00Z'],
  ]);
  workspace.git('config', 'i18n.commitEncoding', 'ISO-8859-1');
  writeFileSync(join(workspace.base, 'message'), Buffer.from([0x63, 0x61, 0x66, 0xe9]));
  workspace.git('commit', '-q', '--allow-empty', '-F', join(workspace.base, 'message'));
  expect((await facts(client, 'git_log', { max_count: 1 })).commits[0].message).toBe('café');
  workspace.commit('latin', { 'latin.txt': Buffer.from([0x63, 0xe9, 0x0a]) });
  expect(await workspace.say(client, 'git_read_file', { path: 'latin.txt' })).toBe('c\\xe9\n');
  expect(await workspace.say(client, 'git_show', { revision: 'HEAD' })).toContain('+c\\xe9');
  const uri = `git://repo/blob/HEAD/latin.txt`;
  expect((await client.readResource(uri)).contents[0]).toMatchObject({
    blob: Buffer.from([0x63, 0xe9, 0x0a]).toString('base64'),
  });
});

test('G73 a long diff comes in pages that put together are what git prints', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index} ünï`).join('\n');
  workspace.commit('long', { 'long.txt': lines, 'z.txt': 'z\n', 'wide.txt': 'ü'.repeat(200_000) });
  await using client = await workspace.connect();
  let whole = '';
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await workspace.say(client, 'git_diff', {
      target: 'HEAD~1..HEAD',
      ...(cursor && { cursor }),
    });
    expect(Buffer.byteLength(page)).toBeLessThan(49 * 1024);
    cursor = /\n… there is more; go on with cursor "(.*)"$/.exec(page)?.[1];
    whole += page.replace(/\n… there is more.*$/, '').replace(/^\(continues .*\)\n/, '');
    pages++;
  } while (cursor);
  expect(pages).toBeGreaterThan(10);
  expect(whole).toBe(`${workspace.git('diff', '--numstat', '--patch', 'HEAD~1..HEAD')}\n`);
  const first = await workspace.say(client, 'git_diff', { target: 'HEAD~1' });
  const next = /cursor "(.*)"$/.exec(first)![1]!;
  workspace.put('aa.txt', 'new\n');
  workspace.git('add', '-A');
  expect(await workspace.say(client, 'git_diff', { target: 'HEAD~1', cursor: next })).toBe(
    'ERROR What this cursor continues has changed meanwhile; begin again without a cursor',
  );
});

test('G74 binary files are named', async () => {
  using workspace = new Workspace({ 'a.bin': Buffer.from([0, 1, 2]) });
  workspace.commit('second', { 'a.bin': Buffer.from([0, 1, 3]) });
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'git_show', { revision: 'HEAD' })).toContain(
    'Binary files a/a.bin and b/a.bin differ',
  );
  expect(await workspace.say(client, 'git_read_file', { path: 'a.bin' })).toBe(
    'Binary file of 3 bytes: "a.bin"',
  );
});

test('G75 many entries come page by page', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  for (let index = 0; index < 2_500; index++) workspace.put(`f${index}`, '');
  const head = workspace.git('rev-parse', 'HEAD');
  const stdin = Array.from({ length: 1_200 }, (_, index) => `create refs/heads/b${index} ${head}\n`).join('');
  execFileSync('git', ['update-ref', '--stdin'], {
    cwd: workspace.root,
    input: stdin,
    env: workspace.environment,
  });
  await using client = await workspace.connect();
  const counts: number[] = [];
  for (let cursor: string | undefined = '0'; cursor;) {
    const page = await facts(client, 'git_status', { cursor });
    counts.push(page.entries.length);
    expect(page.total).toBe(2_500);
    cursor = page.nextCursor;
  }
  expect(counts).toEqual([1_000, 1_000, 500]);
  const branches = await facts(client, 'git_branch');
  expect(branches).toMatchObject({ total: 1_201, nextCursor: '500' });
});

test('G75 a log goes on where it began, whatever is committed meanwhile', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  for (let index = 2; index <= 7; index++) workspace.commit(`c${index}`);
  await using client = await workspace.connect();
  const first = await facts(client, 'git_log', { max_count: 3 });
  workspace.commit('later');
  const second = await facts(client, 'git_log', { max_count: 3, cursor: first.nextCursor });
  const third = await facts(client, 'git_log', { max_count: 3, cursor: second.nextCursor });
  const seen = [first, second, third].flatMap(({ commits }) =>
    commits.map(({ message }: { message: string }) => message),
  );
  expect(seen).toEqual(['c7', 'c6', 'c5', 'c4', 'c3', 'c2', 'first']);
  expect(third.nextCursor).toBeUndefined();
});

test('G75 a log of long messages comes in pages that are not too long', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  writeFileSync(join(workspace.base, 'long'), 'x'.repeat(300_000));
  for (let index = 0; index < 30; index++) {
    workspace.git('commit', '-q', '--allow-empty', '-F', join(workspace.base, 'long'));
  }
  await using client = await workspace.connect();
  let count = 0;
  let cursor: string | undefined;
  do {
    const result = await client.callTool('git_log', { max_count: 100, ...(cursor && { cursor }) });
    expect(JSON.stringify(result).length).toBeLessThan(300_000);
    const page = result.structuredContent as { commits: unknown[]; nextCursor?: string };
    count += page.commits.length;
    cursor = page.nextCursor;
  } while (cursor);
  expect(count).toBe(31);
});

test('G75 pages of a log with merges are together what git prints', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  for (let round = 0; round < 4; round++) {
    workspace.git('checkout', '-q', '-b', `side-${round}`);
    workspace.commit(`side ${round}`);
    workspace.commit(`side ${round} again`);
    workspace.git('checkout', '-q', 'main');
    workspace.commit(`main ${round}`);
    workspace.git('merge', '-q', '--no-ff', '-m', `merge ${round}`, `side-${round}`);
    workspace.commit(`chain ${round}`);
    workspace.commit(`chain ${round} again`);
  }
  await using client = await workspace.connect();
  for (const filter of [{}, { revision: 'HEAD~9..' }, { grep: 'again' }, { path: 'a.txt' }]) {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await facts(client, 'git_log', { max_count: 3, ...filter, ...(cursor && { cursor }) });
      seen.push(...page.commits.map(({ hash }: { hash: string }) => hash));
      cursor = page.nextCursor;
    } while (cursor);
    const all = await facts(client, 'git_log', { max_count: 1_000, ...filter });
    expect(seen).toEqual(all.commits.map(({ hash }: { hash: string }) => hash));
  }
});

test('G76 shows a merge against its first parent, a root, a tag, a tree and a file', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  workspace.git('checkout', '-q', '-b', 'side');
  workspace.commit('side', { 'side.txt': 's\n' });
  workspace.git('checkout', '-q', 'main');
  workspace.commit('main', { 'main.txt': 'm\n' });
  workspace.git('merge', '-q', '--no-edit', 'side');
  workspace.git('tag', '-m', 'a tag', 'v1');
  await using client = await workspace.connect();
  const merge = await workspace.say(client, 'git_show', { revision: 'HEAD' });
  expect(merge).toContain('+++ b/side.txt');
  expect(merge).not.toContain('main.txt');
  expect(await workspace.say(client, 'git_show', { revision: 'HEAD~2' })).toContain('+a');
  expect(await workspace.say(client, 'git_show', { revision: 'v1' })).toContain('a tag');
  expect(await workspace.say(client, 'git_show', { revision: 'HEAD:' })).toContain('a.txt');
  expect(await workspace.say(client, 'git_show', { revision: 'HEAD:a.txt' })).toBe('a\n');
});

test('G77 escapes of a terminal are data in facts and escaped in text', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  const message = '\u001b]8;;http://evil\u0007link \u202eesrever';
  workspace.commit(message, { 'e\u001b[2Jvil.txt': 'x\n' });
  workspace.put('\u001b[31mred', '');
  await using client = await workspace.connect();
  expect((await facts(client, 'git_log', { max_count: 1 })).commits[0].message).toBe(message);
  for (const tool of ['git_log', 'git_status', 'git_branch']) {
    const said = (await workspace.say(client, tool)).replaceAll('\n', '');
    expect(said, tool).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  }
});

test.each([
  ['obeys', ''],
  ['does not', "trap '' TERM;"],
])('G79 a cancelled call ends its git with a hook that %s, and the next one works', async (_how, trap) => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  workspace.hook('pre-commit', `${trap} touch '${workspace.marks}/begun'; while :; do sleep 0.1; done`);
  await using client = await workspace.connect({ trust: true });
  const before = workspace.state;
  const stop = new AbortController();
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const watcher = watch(workspace.marks, (_event, name) => name === 'begun' && resolve());
  const call = client.callTool('git_commit', { message: 'm', allow_empty: true }, { signal: stop.signal });
  await begun;
  watcher.close();
  stop.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
  // The next write waits until the first is over, with everything it had started.
  rmSync(join(workspace.root, '.git/hooks/pre-commit'));
  await client.callTool('git_create_branch', { branch_name: 'after' });
  workspace.git('branch', '-D', 'after');
  expect(workspace.state).toBe(before);
  const running = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
  expect(running).not.toContain(join(workspace.root, '.git'));
  expect(running).not.toContain(`${workspace.marks}/begun`);
});

test('G80 reads never lock the index, and writes wait for each other', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  for (let index = 0; index < 50; index++) workspace.put(`f${index}`, 'x\n');
  await using client = await workspace.connect();
  const work: Promise<{ isError?: boolean }>[] = [];
  for (let index = 0; index < 15; index++) {
    work.push(client.callTool('git_status'), client.callTool('git_diff_unstaged'));
    work.push(client.callTool('git_add', { files: [`f${index}`] }));
    work.push(client.callTool('git_commit', { message: `m${index}`, allow_empty: true }));
    work.push(client.callTool('git_create_branch', { branch_name: `b${index}` }));
  }
  expect((await Promise.all(work)).filter(({ isError }) => isError)).toEqual([]);
  expect(workspace.git('rev-list', '--count', 'HEAD')).toBe('16');
  expect(readdirSync(join(workspace.root, '.git')).filter((name) => name.endsWith('.lock'))).toEqual([]);
});

test('a destructive call asks first where the client can be asked', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  for (const protocolVersion of ['2025-11-25', '2026-07-28']) {
    const asked: string[] = [];
    let answer = false;
    await using client = await workspace.connect({
      protocolVersion,
      elicit: async ({ message }: { message: string }) => {
        asked.push(message.replaceAll(workspace.base, ''));
        return { action: 'accept', content: { confirm: answer } };
      },
    } as never);
    workspace.put('a.txt', 'changed\n');
    expect(await workspace.say(client, 'git_reset', { mode: 'hard' })).toBe(
      'ERROR Not done: the user declined',
    );
    expect(workspace.read('a.txt')).toBe('changed\n');
    answer = true;
    expect(await workspace.say(client, 'git_reset', { mode: 'hard' })).toBe('Reset (hard)');
    expect(workspace.read('a.txt')).toBe('a\n');
    expect(asked).toEqual(
      Array(2).fill('Discard all changes to tracked files in /bound/repo and go to "HEAD"?'),
    );
  }
});

test('the process group of a git that ignores being asked to stop is killed', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  mkdirSync(join(workspace.base, 'bin'));
  const fake = join(workspace.base, 'bin/git');
  writeFileSync(
    fake,
    `#!/bin/sh\ntrap '' TERM\ntouch '${workspace.marks}/begun'\nwhile :; do sleep 0.05; done\n`,
  );
  chmodSync(fake, 0o755);
  const { runGit } = await import('../src/backend/git-process.ts');
  const stop = new AbortController();
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const watcher = watch(workspace.marks, () => resolve());
  const run = runGit({
    program: fake,
    args: [],
    cwd: workspace.root,
    env: { PATH: process.env['PATH']! },
    signal: stop.signal,
    timeoutMs: 60_000,
    maxBytes: 10,
  });
  await begun;
  watcher.close();
  stop.abort();
  await expect(run).rejects.toMatchObject({ message: 'Cancelled', killed: true });
});
