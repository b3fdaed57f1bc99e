import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { descriptorOpener } from '../src/open/descriptor-opener.ts';
import { flipping } from './flipping.ts';
import { Helper, outcome } from './helper.ts';
import { openers, Workspace } from './workspace.ts';

// They race with another process until each side has won.
vi.setConfig({ testTimeout: 120_000 });

const rounds = 2_000;

describe('moves that race with another process', () => {
  async function raced(make: string, put: (workspace: Workspace, round: number) => void) {
    const workspace = new Workspace();
    for (const directory of ['from', 'to']) mkdirSync(join(workspace.root, directory));
    for (let round = 0; round < rounds; round++) put(workspace, round);
    const sandbox = workspace.open();
    await using other = new Helper(`
      const to = ${JSON.stringify(join(workspace.root, 'to'))};
      console.log('ready');
      for (let at = 0; at < ${rounds}; at += 2) {
        try { ${make} } catch (error) { if (error.code !== 'EEXIST') throw error; }
      }
      console.log('done');`);
    await other.line();
    for (let round = 0; round < rounds; round++)
      await sandbox.move(`from/${round}`, `to/${round}`).catch(() => {});
    await other.line();
    return workspace;
  }

  it('a move overwrites no file that another process creates and loses none', async () => {
    using workspace = await raced(
      "fs.writeFileSync(to + '/' + at, 'THEIRS', { flag: 'wx' });",
      (target, round) => target.put(`from/${round}`, 'OURS'),
    );
    for (let round = 0; round < rounds; round++) {
      const [from, to] = [join(workspace.root, 'from', `${round}`), join(workspace.root, 'to', `${round}`)];
      const stayed = existsSync(from);
      expect(readFileSync(to, 'utf8')).toBe(stayed ? 'THEIRS' : 'OURS');
      if (stayed) expect(readFileSync(from, 'utf8')).toBe('OURS');
    }
  });

  it('a move overwrites no directory that another process creates and loses none', async () => {
    using workspace = await raced(
      "fs.mkdirSync(to + '/' + at); fs.writeFileSync(to + '/' + at + '/theirs', '');",
      (target, round) => target.put(`from/${round}/ours`),
    );
    for (let round = 0; round < rounds; round++) {
      const stayed = existsSync(join(workspace.root, 'from', `${round}`, 'ours'));
      expect(readdirSync(join(workspace.root, 'to', `${round}`))).toEqual([stayed ? 'theirs' : 'ours']);
    }
  });

  it('of twenty concurrent moves to one destination, one succeeds', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `${index}`);
    using workspace = new Workspace(Object.fromEntries(names.map((name) => [name, name])));
    const sandbox = workspace.open();
    const moves = await Promise.allSettled(names.map((name) => sandbox.move(name, 'to')));
    expect(moves.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(readdirSync(workspace.root)).toHaveLength(20);
    await Promise.all([sandbox.move('to', 'x'), sandbox.move('5', 'y'), sandbox.move('6', 'z')]);
  });
});

const operations = [
  'append',
  'copy',
  'copy directory',
  'delete',
  'delete directory',
  'move',
  'move back',
  'move in',
];

// The opener by path cannot exclude this race: each operation resolves the path again.
const byDescriptor = openers.filter(({ opener }) => opener === descriptorOpener);

it.each(byDescriptor)(
  'a directory that is swapped with a link lets no change and no search reach outside',
  async ({ opener }) => {
    using workspace = new Workspace({ 'race/f.txt': 'INSIDE' });
    writeFileSync(join(workspace.outside, 'f.txt'), 'SECRET');
    symlinkSync(workspace.outside, join(workspace.root, 'race.out'));
    const sandbox = workspace.open({ opener });
    await using _flipper = await flipping(workspace, 'race');
    const done = new Set<string>();
    const attempt = async (what: string, work: () => Promise<unknown>) => {
      await work().then(
        () => done.add(what),
        () => {},
      );
    };
    // How often the link is in place depends on the scheduler: the race continues until each
    // operation has found the file.
    for (let round = 0; round < 400 || (done.size < operations.length && round < 10_000); round++) {
      await attempt('copy', () => sandbox.copy('race/f.txt', `copy ${round}`));
      await attempt('copy directory', () => sandbox.copy('race', `directory ${round}`));
      await attempt('move in', () => sandbox.move(`copy ${round}`, `race/moved ${round}`));
      await attempt('move', () => sandbox.move('race/f.txt', `race/f ${round}.txt`));
      await attempt('move back', () => sandbox.move(`race/f ${round}.txt`, 'race/f.txt'));
      await attempt('delete', () => sandbox.delete(`race/moved ${round}`));
      await attempt('delete directory', () => sandbox.delete(`directory ${round}`, { recursive: true }));
      await attempt('append', () => sandbox.append('race/f.txt', '.'));
      const { matches } = await sandbox.search('.', 'SECRET');
      expect(matches).toBe(0);
    }
    expect(workspace.outsideNames.sort()).toEqual(['f.txt', 'secret.txt']);
    expect(readFileSync(join(workspace.outside, 'f.txt'), 'utf8')).toBe('SECRET');
    expect([...done].sort()).toEqual(operations);
  },
);

it('copies, appends, writes and moves overwrite nothing on a file system without hard links', async () => {
  using workspace = new Workspace({ 'a.txt': 'content', 'taken.txt': 'taken' });
  const said = await outcome(`
    const refused = () => Object.assign(new Error('EPERM'), { code: 'EPERM' });
    fs.link = (from, to, done) => done(refused());
    fs.linkSync = () => { throw refused(); };
    (await import('node:module')).syncBuiltinESMExports();
    const { Sandbox } = await import(source + 'sandbox.ts');
    const sandbox = Sandbox.open({ directories: [${JSON.stringify(workspace.root)}] });
    const works = [
      () => sandbox.copy('a.txt', 'copy.txt'),
      () => sandbox.append('new.txt', 'content'),
      () => sandbox.write('absent.txt', 'content', { ifAbsent: true }),
      () => sandbox.move('a.txt', 'moved.txt'),
      () => sandbox.copy('copy.txt', 'taken.txt'),
      () => sandbox.move('copy.txt', 'taken.txt'),
    ];
    const said = [];
    for (const work of works) said.push(await work().then(() => 'done', (error) => error.message));
    console.log(JSON.stringify(said));`);
  const taken = 'Already exists: "taken.txt"';
  expect(said).toEqual(['done', 'done', 'done', 'done', taken, taken]);
  const contents = readdirSync(workspace.root).map((name) => [
    name,
    readFileSync(join(workspace.root, name), 'utf8'),
  ]);
  expect(Object.fromEntries(contents)).toEqual({
    'absent.txt': 'content',
    'copy.txt': 'content',
    'moved.txt': 'content',
    'new.txt': 'content',
    'taken.txt': 'taken',
  });
});

it('a move out of a directory without write permission creates nothing, and the error names the source', async (context) => {
  context.skip(process.getuid?.() !== 0, 'Changing the user requires root');
  using workspace = new Workspace({ 'from/a.txt': 'a', 'from/sub/b.txt': 'b', 'to/x.txt': '' });
  workspace.letOthersRead();
  for (const path of ['from/a.txt', 'from/sub', 'to']) chownSync(join(workspace.root, path), 4242, 4242);
  const problems = await outcome(
    `const { Sandbox } = await import(source + 'sandbox.ts');
    const sandbox = Sandbox.open({ directories: [${JSON.stringify(workspace.root)}] });
    const problems = [];
    for (const name of ['a.txt', 'sub'])
      await sandbox.move('from/' + name, 'to/' + name).catch(({ message }) => problems.push(message));
    console.log(JSON.stringify(problems));`,
    { uid: 4242 },
  );
  expect(problems).toEqual(['Permission denied: "from/a.txt"', 'Permission denied: "from/sub"']);
  expect(readdirSync(join(workspace.root, 'to'))).toEqual(['x.txt']);
});
