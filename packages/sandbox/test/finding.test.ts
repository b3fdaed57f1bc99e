import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Sandbox } from '../src/sandbox.ts';
import { openDescriptors } from '@mcp/test-kit';
import { problem, Workspace } from './workspace.ts';

// They search trees of many thousand files.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

describe('find', () => {
  async function openWorkspace(files: string[]) {
    const workspace = new Workspace(Object.fromEntries(files.map((path) => [path, ''])));
    const sandbox = workspace.open();
    const found = async (pattern: string, options?: Parameters<Sandbox['find']>[2]) =>
      (await sandbox.find('.', pattern, options)).matches.map(({ path }) => path);
    return { workspace, sandbox, found };
  }

  it('a pattern without a slash matches names at any depth, and one with a slash matches paths', async () => {
    const { workspace, sandbox, found } = await openWorkspace([
      'a.ts',
      'src/b.ts',
      'src/deep/c.ts',
      'src/d.js',
      '.hidden/e.ts',
    ]);
    using _ = workspace;
    expect(await found('*.ts')).toEqual(['.hidden/e.ts', 'a.ts', 'src/b.ts', 'src/deep/c.ts']);
    expect(await found('./*.ts')).toEqual(['a.ts']);
    expect(await found('src/*.ts')).toEqual(['src/b.ts']);
    expect(await found('src/**/*.{ts,js}')).toEqual(['src/b.ts', 'src/d.js', 'src/deep/c.ts']);
    expect(await found('deep')).toEqual(['src/deep']);
    const inside = await sandbox.find('src', 'deep/*');
    expect(inside).toEqual({
      path: join(workspace.root, 'src'),
      matches: [{ path: 'src/deep/c.ts', shown: 'src/deep/c.ts', kind: 'file' }],
      total: 1,
      more: false,
      visited: 4,
      unreadable: { items: [], total: 0 },
    });
  });

  it('find skips excluded paths, node_modules and .git', async () => {
    const { workspace, found } = await openWorkspace([
      'a.ts',
      'dist/a.ts',
      'src/dist/b.ts',
      'node_modules/x/c.ts',
      '.git/d.ts',
    ]);
    using _ = workspace;
    expect(await found('*.ts')).toEqual(['a.ts', 'dist/a.ts', 'src/dist/b.ts']);
    expect(await found('*.ts', { exclude: ['dist'] })).toEqual(['a.ts']);
    expect(await found('*.ts', { exclude: ['dist/'] })).toEqual(['a.ts']);
    expect(await found('*.ts', { exclude: ['./dist', 'src/**/b.*'] })).toEqual(['a.ts']);
    expect(await found('*.ts', { all: true })).toHaveLength(5);
    expect(await found('node_modules/**/*.ts')).toEqual(['node_modules/x/c.ts']);
  });

  it('find stops at its limit and reports that more paths match', async () => {
    const { workspace, sandbox } = await openWorkspace(['a', 'b', 'c']);
    using _ = workspace;
    expect(await sandbox.find('.', '*', { limit: 2 })).toMatchObject({ more: true, matches: [{}, {}] });
    expect(await sandbox.find('.', '*', { limit: 3 })).toMatchObject({ more: false, matches: [{}, {}, {}] });
  });

  it('a pattern that is absolute, too long or contains `..` is refused', async () => {
    const { workspace, sandbox, found } = await openWorkspace(['!(x)', '[', 'a']);
    using _ = workspace;
    for (const pattern of ['**/../**', '../*', '..', 'a/..']) {
      expect(await problem(() => sandbox.find('.', pattern))).toBe(
        `A pattern cannot contain "..": "${pattern}"`,
      );
    }
    expect(await problem(() => sandbox.find('.', '/etc/*'))).toBe(
      'A pattern is relative to the searched directory and cannot begin with "/": "/etc/*"',
    );
    expect(await problem(() => sandbox.find('.', 'x'.repeat(10_000)))).toMatch(
      /^Pattern longer than 1000 characters: /,
    );
    expect(await problem(() => sandbox.find('.', ''))).toBe('A pattern cannot be empty');
    expect(await found('!(x)')).toEqual(['!(x)']);
    expect(await found('[')).toEqual(['[']);
    expect(await found('\\')).toEqual([]);
  });

  it('find descends 1,000 levels and reports a directory whose path is too long', async () => {
    using workspace = new Workspace();
    let path = workspace.root;
    for (let depth = 0; depth < 1000; depth++) path = join(path, 'd');
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'bottom.txt'), '');
    const sandbox = workspace.open();
    expect((await sandbox.find('.', 'bottom.txt')).matches).toHaveLength(1);

    let deeper = join(workspace.root, 'long');
    mkdirSync(deeper);
    const start = process.cwd();
    try {
      process.chdir(deeper);
      for (let depth = 0; depth < 30; depth++) {
        mkdirSync('n'.repeat(200));
        process.chdir('n'.repeat(200));
        deeper = join(deeper, 'n'.repeat(200));
      }
    } finally {
      process.chdir(start);
    }
    const found = await sandbox.find('long', 'n*');
    expect(found.matches.length).toBeGreaterThan(15);
    expect(found.unreadable.total).toBe(1);
    expect(found.unreadable.items[0]!.reason).toMatch(/^Name too long: /);
  });
});

describe('a large tree', () => {
  const base = mkdtempSync(join(tmpdir(), 'filesystem-large-'));
  let sandbox: Sandbox;

  beforeAll(async () => {
    for (let directory = 0; directory < 200; directory++) {
      const path = join(base, 'tree', `d${directory}`, 'e');
      mkdirSync(path, { recursive: true });
      for (let file = 0; file < 100; file++) writeFileSync(join(path, `file${file}.ts`), '');
    }
    mkdirSync(join(base, 'wide'));
    for (let file = 0; file < 100_000; file++) writeFileSync(join(base, 'wide', `entry ${file}`), '');
    sandbox = Sandbox.open({ directories: [base] });
  });
  afterAll(() => rmSync(base, { recursive: true }));

  /** Returns the maximum CPU time of one turn of the event loop while `work` runs. */
  async function maxWaitMs(work: () => Promise<unknown>): Promise<number> {
    let max = 0;
    let last = workedMs();
    let waiting = true;
    const wait = () => {
      const now = workedMs();
      max = Math.max(max, now - last);
      last = now;
      if (waiting) setImmediate(wait);
    };
    setImmediate(wait);
    await work();
    waiting = false;
    return max;
  }

  it('a directory of 100,000 entries is listed in pages of 1,000', async () => {
    const first = await sandbox.list('wide');
    expect(first).toMatchObject({ total: 100_000, next: first.entries.at(-1)!.name });
    expect(first.entries).toHaveLength(1000);
    const names = first.entries.map(({ name }) => name);
    for (let after = first.next; after !== undefined && names.length < 3000;) {
      const page = await sandbox.list('wide', { after });
      names.push(...page.entries.map(({ name }) => name));
      after = page.next;
    }
    const all = Array.from({ length: 100_000 }, (_, index) => `entry ${index}`).sort();
    expect(names).toEqual(all.slice(0, 3000));
    expect(await sandbox.list('wide', { after: all.at(-3)! })).toMatchObject({
      entries: [{}, {}],
      total: 100_000,
    });
    expect((await sandbox.list('wide', { after: all.at(-3)! })).next).toBeUndefined();
  });

  it('no operation on a large tree blocks the event loop for 25 ms', async () => {
    await sandbox.find('tree', '*');
    const waits = [
      await maxWaitMs(() => sandbox.find('.', '*7*', { limit: 1e6 })),
      await maxWaitMs(() => sandbox.list('wide')),
      await maxWaitMs(() => sandbox.listSizes('wide')),
      await maxWaitMs(() => sandbox.listSizes('wide', { sortBy: 'size' })),
      await maxWaitMs(() => sandbox.complete('wide/nothing')),
      await maxWaitMs(() => sandbox.tree('.')),
      await maxWaitMs(() => sandbox.search('.', 'nothing')),
      await maxWaitMs(() => sandbox.search('.', 'noth+ing', { regex: true })),
    ];
    // A ping may take 25 ms: two turns of 8 ms and their overhead.
    expect(Math.max(...waits)).toBeLessThan(25);
  });

  it('looking up a missing name costs at most five times the reading of the directory', async () => {
    const cost = (work: () => unknown) => {
      const before = workedMs();
      work();
      return workedMs() - before;
    };
    const missing = ['né', 'n\\xff'].map((name) => () => {
      expect(() => sandbox.readText(`wide/${name}`)).toThrow('No such file');
    });
    const reading = cost(() => readdirSync(join(base, 'wide')));
    for (const work of missing) expect(cost(work)).toBeLessThan(5 * reading);
  });

  it('patterns with exponential expansions finish in bounded time', async () => {
    const before = performance.now();
    await sandbox.find('tree', '{a,b}'.repeat(18));
    await sandbox.find('tree', `${'+(a|aa|aaa)'.repeat(6)}!`);
    await sandbox.find('tree', `${'*f'.repeat(30)}!`);
    await sandbox.find('tree', `${'**/'.repeat(30)}!`);
    expect(performance.now() - before).toBeLessThan(5000);
  });

  it('find stops when it is aborted and reports its progress', async () => {
    const controller = new AbortController();
    const counts: number[] = [];
    const progress = (visited: number) => {
      counts.push(visited);
      controller.abort(new Error('Enough'));
    };
    const finding = sandbox.find('.', 'nothing', { signal: controller.signal, progress });
    expect(await problem(() => finding)).toBe('Enough');
    expect(counts).toHaveLength(1);
    const aborted = sandbox.find('.', '*', { signal: AbortSignal.abort() });
    expect(await problem(() => aborted)).toBe('This operation was aborted');
    expect(counts[0]).toBeLessThan(120_000);
  });

  it('a search of many files finds the same matches in every round', async () => {
    const contents = new Map<string, string | Uint8Array>([
      ['d0/e/file0.ts', 'needle'],
      ['d1/e/file1.ts', `${'x'.repeat(200_000)}\nneedle`],
      ['d50/e/file2.ts', Buffer.from('\ufeffneedle', 'utf16le')],
      ['d99/e/file3.ts', '\ufeffneedle'],
      ['d198/e/file4.ts', `${'x\n'.repeat(600_000)}needle`],
      ['d199/e/file5.ts', 'needle\0'],
      ['d199/e/file6.ts', 'needless'],
    ]);
    for (const [path, content] of contents) writeFileSync(join(base, 'tree', path), content);
    const directory = join(base, 'tree', 'd7', 'e');
    symlinkSync(join(directory, 'file7.ts'), join(directory, 'link'));
    writeFileSync(Buffer.from(`${directory}/\xff`, 'latin1'), 'needle');

    const open: string[][] = [];
    for (let round = 0; round < 5; round++) {
      const { files, searched, unreadable } = await sandbox.search('tree', 'needle');
      expect(files.map(({ path, lines }) => [path, lines[0]?.number])).toEqual([
        ['tree/d0/e/file0.ts', 1],
        ['tree/d1/e/file1.ts', 2],
        ['tree/d198/e/file4.ts', 600_001],
        ['tree/d199/e/file6.ts', 1],
        ['tree/d50/e/file2.ts', 1],
        ['tree/d7/e/\\xff', 1],
        ['tree/d99/e/file3.ts', 1],
      ]);
      // The binary file `file5.ts` is not searched.
      expect({ searched, unread: unreadable.total }).toEqual({ searched: 20_000, unread: 0 });
      open.push(openDescriptors(base));
      expect((await sandbox.search('tree', 'needle', { limit: 3 })).next).toBeDefined();
    }
    // The searches hold nothing open.
    for (const held of open) expect(held).toEqual([base]);
  });

  it('a search, a tree and a copy stop when they are aborted', async () => {
    for (const work of [
      (options: object) => sandbox.search('.', 'nothing', options),
      (options: object) => sandbox.search('.', 'noth+ing', { ...options, regex: true }),
      (options: object) => sandbox.tree('.', { ...options, limit: 200_000 }),
      (options: object) => sandbox.copy('tree', 'zcopy', options),
    ]) {
      const controller = new AbortController();
      const progress = () => controller.abort(new Error('Enough'));
      expect(await problem(() => work({ signal: controller.signal, progress }))).toBe('Enough');
    }
  });

  it('completion returns existing paths', async () => {
    expect(await sandbox.complete('tr')).toEqual(['tree/']);
    expect(await sandbox.complete('tree/d19')).toEqual([
      'tree/d19/',
      ...Array.from({ length: 10 }, (_, i) => `tree/d19${i}/`),
    ]);
    expect(await sandbox.complete(`${base}/tree/d0/e/file1`)).toHaveLength(11);
    expect(await sandbox.complete('wide/')).toHaveLength(100);
    expect(await sandbox.complete(base.slice(0, 6))).toEqual([`${base}/`]);
    expect(await sandbox.complete('/et')).toEqual([]);
    expect(await sandbox.complete('missing/x')).toEqual([]);
    expect(await sandbox.complete('\0')).toEqual([]);
  });
});

/** Returns the CPU time of this thread, which the load of the machine does not change. */
function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

it('the search for duplicates and a comparison stop when they are cancelled', async () => {
  using workspace = new Workspace({ 'a/x': 'one', 'b/x': 'one' });
  const sandbox = workspace.open();
  const signal = AbortSignal.abort(new Error('Enough'));
  expect(await problem(() => sandbox.findDuplicates('.', '*', { signal }))).toBe('Enough');
  expect(await problem(() => sandbox.compare('a', 'b', { signal }))).toBe('Enough');
  expect(await problem(() => sandbox.compare('a/x', 'b/x', { signal }))).toBe('Enough');
  expect(await problem(() => sandbox.listSizes('.', { recursive: true, signal }))).toBe('Enough');
  expect(new Set(openDescriptors(workspace.root))).toEqual(new Set([workspace.root]));
});
