import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { logFacts, unescaped } from './facts.ts';
import { Workspace } from './workspace.ts';
import { writeZeroBlob } from './zero-blob.ts';

// They read a hundred thousand files and branches.
vi.setConfig({ testTimeout: 120_000 });

test('odd file names are quoted and escaped, so that they are exact', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const names = ['new\nline.txt', 'tab\there', 'quo"te', 'ünïcode', ' leading', 'a -> b', '? forged'];
  for (const name of names) workspace.put(name, 'x\n');
  await using client = await workspace.connect();
  const { entries } = await workspace.status(client);
  expect(entries.map(({ path }) => path).toSorted()).toEqual(names.toSorted());
  expect(await workspace.callText(client, 'git_status')).toContain('?? "new\\nline.txt"');
  for (const name of names)
    expect(await workspace.callText(client, 'git_add', { files: [name] })).toMatch(/^Staged 1 file/);
  await client.callTool('git_commit', { message: 'm' });
  for (const name of names.slice(1))
    expect(await workspace.callText(client, 'git_read_file', { path: name })).toBe('x\n');
  writeFileSync(Buffer.concat([Buffer.from(`${workspace.root}/bad`), Buffer.from([0xff])]), 'x');
  expect((await workspace.status(client)).entries).toEqual([{ sides: '??', path: 'bad\\xff' }]);
});

test('a message with record separators forges no commit', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const forged = `x\n\n${'0'.repeat(40)}\n%x00%H\n\u001e\u001f\ncommit ${'1'.repeat(40)}\nAuthor: Eve <eve@x>`;
  await workspace.commit(forged);
  await using client = await workspace.connect();
  const { commits } = await workspace.log(client);
  expect(commits).toHaveLength(2);
  expect(commits[0]).toMatchObject({
    message: forged.replace('\u001e\u001f', '\\u{1e}\\u{1f}'),
    author: { name: 'Ada' },
  });
  const shown = await workspace.callText(client, 'git_show', { revision: 'HEAD' });
  expect(shown.split('\n').filter((line) => line.startsWith('commit '))).toHaveLength(1);
  expect((await workspace.callText(client, 'git_log')).split('\n')).toHaveLength(3);
});

test('a log between two times is complete, and text in other encodings keeps its bytes', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const commitAt = (date: string, message: string) => {
    Object.assign(workspace.environment, { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date });
    return workspace.commit(message);
  };
  await commitAt('2026-03-01T00:00:00Z', 'march');
  await commitAt('2026-04-01T00:00:00Z', 'april');
  await commitAt('2026-05-01T00:00:00Z', 'may');
  await using client = await workspace.connect();
  const { commits } = await workspace.log(client, {
    start_timestamp: '2026-02-15',
    end_timestamp: '2026-04-15',
  });
  expect(commits.map(({ message, authored }) => [message, authored])).toEqual([
    ['april', '2026-04-01T00:00:00Z'],
    ['march', '2026-03-01T00:00:00Z'],
  ]);
  await workspace.git.addConfig('i18n.commitEncoding', 'ISO-8859-1');
  writeFileSync(join(workspace.base, 'message'), Buffer.from([0x63, 0x61, 0x66, 0xe9]));
  await workspace.git.raw(['commit', '-q', '--allow-empty', '-F', join(workspace.base, 'message')]);
  expect((await workspace.log(client, { max_count: 1 })).commits[0]!.message).toBe('café');
  await workspace.commit('latin', { 'latin.txt': Buffer.from([0x63, 0xe9, 0x0a]) });
  expect(await workspace.callText(client, 'git_read_file', { path: 'latin.txt' })).toBe('c\\xe9\n');
  expect(await workspace.callText(client, 'git_show', { revision: 'HEAD' })).toContain('+c\\xe9');
  const uri = `git://repo/blob/HEAD/latin.txt`;
  expect((await client.readResource(uri)).contents[0]).toMatchObject({
    blob: Buffer.from([0x63, 0xe9, 0x0a]).toString('base64'),
  });
});

test('a message is unchanged with any i18n setting of the repository', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.git.addConfig('i18n.commitEncoding', 'ISO-8859-1');
  for (const trust of [false, true]) {
    await using client = await workspace.connect({ trust });
    await workspace.callText(client, 'git_commit', { message: 'caf\u00e9 \u2713', allow_empty: true });
    expect((await workspace.log(client, { max_count: 1 })).commits[0]!.message).toBe('caf\u00e9 \u2713');
    expect(await workspace.output(['log', '-1', '--format=%e'])).toBe('');
  }
});

test('the pages of a long diff add up to the output of git, after the number of files', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index} ünï`).join('\n');
  await workspace.commit('long', { 'long.txt': lines, 'z.txt': 'z\n', 'wide.txt': 'ü'.repeat(200_000) });
  await using client = await workspace.connect();
  let whole = '';
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await workspace.callText(client, 'git_diff', {
      target: 'HEAD~1..HEAD',
      ...(cursor && { cursor }),
    });
    expect(Buffer.byteLength(page)).toBeLessThan(49 * 1024);
    cursor = /\n… more with cursor "(.*)"$/.exec(page)?.[1];
    whole += page.replace(/\n… more with cursor.*$/, '').replace(/^\(continues .*\)\n/, '');
    pages++;
  } while (cursor);
  expect(pages).toBeGreaterThan(10);
  const printed = await workspace.output(['diff', '--numstat', '--patch', 'HEAD~1..HEAD']);
  expect(whole).toBe(`${printed.replace('\n\n', '\n3 files\n\n')}\n`);
  const first = await workspace.callText(client, 'git_diff', { target: 'HEAD~1' });
  const next = /cursor "(.*)"$/.exec(first)![1]!;
  workspace.put('aa.txt', 'new\n');
  await workspace.git.add('--all');
  expect(await workspace.callText(client, 'git_diff', { target: 'HEAD~1', cursor: next })).toBe(
    'ERROR Stale cursor: the text has changed since the previous page; start again without a cursor',
  );
});

test('a binary file is answered with a link to its bytes', async () => {
  using workspace = await Workspace.create({ 'a.bin': Buffer.from([0, 1, 2]) });
  await workspace.commit('second', { 'a.bin': Buffer.from([0, 1, 3]), 'sub/ü #1.bin': Buffer.from([0]) });
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_show', { revision: 'HEAD' })).toContain(
    'Binary files a/a.bin and b/a.bin differ',
  );
  workspace.put('a.bin', Buffer.from([0, 4]));
  await workspace.git.add('--all');
  expect(await workspace.callText(client, 'git_diff_staged')).toContain('-\t-\ta.bin\n');

  const { content } = await client.callTool('git_read_file', { path: 'a.bin' });
  const uri = 'git://repo/blob/HEAD/a.bin';
  expect(content).toEqual([
    { type: 'text', text: 'Binary file of 3 bytes: "a.bin"' },
    { type: 'resource_link', uri, name: 'a.bin', size: 3 },
  ]);
  expect((await client.readResource(uri)).contents).toMatchObject([{ blob: 'AAED' }]);
  const odd = await client.callTool('git_read_file', { path: 'sub/ü #1.bin' });
  const [, link] = odd.content as readonly { uri?: string }[];
  expect((await client.readResource(link!.uri!)).contents).toMatchObject([{ blob: 'AA==' }]);
});

test('a blob of 1 GB is shown in pages and not sent as a resource', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  // Git streams files larger than this.
  await workspace.git.addConfig('core.bigFileThreshold', '1m');
  const size = 1024 ** 3;
  const hash = writeZeroBlob(join(workspace.root, '.git'), size);
  await workspace.git.raw(['update-index', '--add', '--cacheinfo', `100644,${hash},large.bin`]);
  await workspace.git.commit('large');
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_read_file', { path: 'large.bin' })).toBe(
    `Binary file of ${size} bytes: "large.bin"; too large to send`,
  );
  const shown = await workspace.callText(client, 'git_show', { revision: 'HEAD:large.bin' });
  expect(shown.length).toBeLessThan(100_000);
  expect(shown).toContain('… more with cursor');
  await expect(client.readResource('git://repo/blob/HEAD/large.bin')).rejects.toThrow(
    'Too large: 1073741824 bytes; at most 10485760 are sent',
  );
});

test('an LFS pointer is read as it is, and a note explains files that look modified', async () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 5\n`;
  using workspace = await Workspace.create({
    '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n',
    'x.bin': pointer,
  });
  await workspace.git.addConfig('filter.lfs.clean', workspace.program());
  await workspace.git.addConfig('filter.lfs.required', 'true');
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_read_file', { path: 'x.bin' })).toBe(pointer);
  expect(await workspace.callText(client, 'git_status')).not.toContain('filters');
  // What git-lfs puts into the work tree.
  workspace.put('x.bin', 'hello');
  const note = /The filters of this repository, such as Git LFS, do not run/;
  expect(await workspace.callText(client, 'git_status')).toMatch(note);
  expect(await workspace.callText(client, 'git_status')).toMatch(note);
  expect(await workspace.callText(client, 'git_diff_unstaged')).toMatch(note);
  expect(workspace.executed).toEqual([]);
});

test('many entries are answered in pages', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const blob = await workspace.git.revparse('HEAD:a.txt');
  const entries = Array.from({ length: 2_500 }, (_, index) => `100644 ${blob}\tf${index}\n`).join('');
  await workspace.gitAt(workspace.root, entries).raw(['update-index', '--index-info']);
  const head = await workspace.git.revparse('HEAD');
  const refs = Array.from({ length: 1_200 }, (_, index) => `${head} refs/heads/b${index}\n`);
  writeFileSync(join(workspace.root, '.git/packed-refs'), refs.join(''));
  await using client = await workspace.connect();
  const counts: number[] = [];
  for (let cursor: string | undefined = '0'; cursor;) {
    const page = await workspace.status(client, { cursor });
    counts.push(page.entries.length);
    expect(page.total).toBe(2_500);
    cursor = page.nextCursor;
  }
  expect(counts).toEqual([1_000, 1_000, 500]);
  expect(await workspace.callText(client, 'git_branch')).toMatch(
    /\n… 1201 in total; more with cursor "500"$/,
  );
});

test('100,000 changed files and 50,000 branches are answered in pages', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const blob = await workspace.git.revparse('HEAD:a.txt');
  const head = await workspace.git.revparse('HEAD');
  const names = (count: number, format: (name: string) => string) =>
    Array.from({ length: count }, (_, index) => format(String(index).padStart(6, '0'))).join('');
  await workspace
    .gitAt(
      workspace.root,
      names(100_000, (name) => `100644 ${blob}\tf${name}\n`),
    )
    .raw(['update-index', '--index-info']);
  const packed = names(50_000, (name) => `${head} refs/heads/b${name}\n`);
  writeFileSync(
    join(workspace.root, '.git/packed-refs'),
    `# pack-refs with: peeled fully-peeled sorted \n${packed}`,
  );
  await using client = await workspace.connect();
  const first = await client.callTool('git_status');
  expect(JSON.stringify(first).length).toBeLessThan(200_000);
  expect(await workspace.status(client)).toMatchObject({ total: 100_000, nextCursor: '1000' });
  const last = await workspace.status(client, { cursor: '99000' });
  expect(last.entries.at(-1)).toEqual({ path: 'f099999', sides: 'AD' });
  expect(last.nextCursor).toBeUndefined();

  expect(await workspace.callText(client, 'git_branch')).toMatch(
    /\n… 50001 in total; more with cursor "500"$/,
  );
  const end = await workspace.refs(client, { cursor: '50000' });
  expect(end.map(({ name }) => name)).toEqual(['main']);
  for (const rest of ['status', 'branches']) {
    const [read] = (await client.readResource(`git://repo/${rest}`)).contents as readonly { text: string }[];
    expect(read!.text.length).toBeLessThan(100_000);
    expect(read!.text).toMatch(/… (100000|50001) in total; git_\w+ lists them in pages$/);
  }
});

test('a merge of 200 parents is answered with all parents', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const commits = Array.from(
    { length: 200 },
    (_, index) => `commit refs/heads/b${index}\nmark :${index + 1}\n${committer}data 3\n${100 + index}\n`,
  );
  const merges = Array.from({ length: 199 }, (_, index) => `merge :${index + 2}\n`).join('');
  await workspace.import(
    `${commits.join('')}commit refs/heads/octopus\n${committer}data 1\nm\nfrom :1\n${merges}`,
  );
  await using client = await workspace.connect();
  const { commits: found } = await workspace.log(client, { revision: 'octopus', max_count: 1 });
  expect(found[0]!.parents).toHaveLength(200);
  expect(new Set(found[0]!.parents).size).toBe(200);
  expect(await workspace.callText(client, 'git_show', { revision: 'octopus' })).toContain('    m');
});

test('the pages of a log contain all 20,000 commits', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const parts = Array.from({ length: 20_000 }, (_, index) => {
    const from = index === 0 ? '' : `from :${index}\n`;
    return `commit refs/heads/long\nmark :${index + 1}\n${committer}data 1\nm\n${from}`;
  });
  await workspace.import(parts.join(''));
  await using client = await workspace.connect();
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await workspace.log(client, {
      revision: 'long',
      max_count: 1_000,
      ...(cursor !== undefined && { cursor }),
    });
    for (const { hash } of page.commits) seen.add(hash);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(seen.size).toBe(20_000);
});

const committer = 'committer Ada <ada@example.com> 1767323045 +0000\n';

test('later pages of a log start at the same commit after new commits', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.import(
    Array.from(
      { length: 6 },
      (_, index) =>
        `commit refs/heads/main\n${committer}data 2\nc${index + 2}\n${index === 0 ? 'from refs/heads/main^0\n' : ''}`,
    ).join(''),
  );
  await using client = await workspace.connect();
  const first = await workspace.log(client, { max_count: 3 });
  await workspace.commit('later');
  const second = await workspace.log(client, {
    max_count: 3,
    cursor: first.nextCursor,
  });
  const third = await workspace.log(client, {
    max_count: 3,
    cursor: second.nextCursor,
  });
  const seen = [first, second, third].flatMap(({ commits }) => commits.map(({ message }) => message));
  expect(seen).toEqual(['c7', 'c6', 'c5', 'c4', 'c3', 'c2', 'first']);
  expect(third.nextCursor).toBeUndefined();
});

test('pages of a log with long messages are limited in size', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const message = 'x'.repeat(300_000);
  await workspace.import(
    Array.from(
      { length: 30 },
      (_, index) =>
        `commit refs/heads/main\n${committer}data ${message.length}\n${message}\n${index === 0 ? 'from refs/heads/main^0\n' : ''}`,
    ).join(''),
  );
  await using client = await workspace.connect();
  let count = 0;
  let cursor: string | undefined;
  do {
    const args = { max_count: 100, full: true, ...(cursor && { cursor }) };
    const text = await workspace.callText(client, 'git_log', args);
    expect(text.length).toBeLessThan(300_000);
    const page = logFacts(text);
    count += page.commits.length;
    cursor = page.nextCursor;
  } while (cursor);
  expect(count).toBe(31);
});

test('the pages of a log with merges add up to the output of git', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const commitOf = (branch: string, message: string, from: string, merged = '') =>
    `commit refs/heads/${branch}\n${committer}data ${message.length}\n${message}\n` +
    (from === branch ? '' : `from refs/heads/${from}\n`) +
    (merged && `merge refs/heads/${merged}\n`);
  const rounds = [0, 1, 2, 3].flatMap((round) => {
    const side = `side-${round}`;
    return [
      commitOf(side, `side ${round}`, 'main'),
      commitOf(side, `side ${round} again`, side),
      commitOf('main', `main ${round}`, 'main'),
      commitOf('main', `merge ${round}`, 'main', side),
      commitOf('main', `chain ${round}`, 'main'),
      commitOf('main', `chain ${round} again`, 'main'),
    ];
  });
  await workspace.import(`reset refs/heads/main\nfrom refs/heads/main^0\n\n${rounds.join('')}`);
  await using client = await workspace.connect();
  for (const filter of [{}, { revision: 'HEAD~9..' }, { grep: 'again' }, { path: 'a.txt' }]) {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await workspace.log(client, {
        max_count: 3,
        ...filter,
        ...(cursor && { cursor }),
      });
      seen.push(...page.commits.map(({ hash }) => hash));
      cursor = page.nextCursor;
    } while (cursor);
    const all = await workspace.log(client, { max_count: 1_000, ...filter });
    expect(seen).toEqual(all.commits.map(({ hash }) => hash));
  }
});

test('git_show shows a merge against its first parent, a root, a tag, a tree and a file', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.git.checkoutLocalBranch('side');
  await workspace.commit('side', { 'side.txt': 's\n' });
  await workspace.git.checkout('main');
  await workspace.commit('main', { 'main.txt': 'm\n' });
  await workspace.git.merge(['--no-edit', 'side']);
  await workspace.git.addAnnotatedTag('v1', 'a tag');
  await using client = await workspace.connect();
  const merge = await workspace.callText(client, 'git_show', { revision: 'HEAD' });
  expect(merge).toContain('+++ b/side.txt');
  expect(merge).not.toContain('main.txt');
  expect(await workspace.callText(client, 'git_show', { revision: 'HEAD~2' })).toContain('+a');
  expect(await workspace.callText(client, 'git_show', { revision: 'v1' })).toContain('a tag');
  expect(await workspace.callText(client, 'git_show', { revision: 'HEAD:' })).toContain('a.txt');
  expect(await workspace.callText(client, 'git_show', { revision: 'HEAD:a.txt' })).toBe('a\n');
});

test('terminal escapes and reordering characters are escaped', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const message = '\u001b]8;;http://evil\u0007link \u202eesrever';
  await workspace.commit(message, { 'e\u001b[2Jvil.txt': 'x\n' });
  workspace.put('\u001b[31mred', '');
  await using client = await workspace.connect();
  const [commit] = (await workspace.log(client, { max_count: 1 })).commits;
  expect(unescaped(commit!.message)).toBe(message);
  for (const [tool, args] of [
    ['git_log', {}],
    ['git_log', { full: true }],
    ['git_status', {}],
    ['git_branch', {}],
  ] as const) {
    const text = (await workspace.callText(client, tool, args)).replaceAll('\n', '');
    expect(text, tool).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  }
});
