import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { sep } from 'node:path';
import { expect, test, vi } from 'vitest';
import { run } from './children/run.ts';
import { World } from './world.ts';

const onLinux = process.platform === 'linux';
const told = ['one', 'two', 'three'].flatMap((name) =>
  ['text', 'TEXT'].map((text) => ({ told: `${name}: ${text}` })),
);

test('five thousand paths in one directory cost as many watches of the system as one path', async ({
  skip,
}) => {
  skip(!onLinux, 'Only Linux says how many watches a process has');
  using world = new World();
  const one = await world.watch(world.path('file 0'));
  const watches = systemWatches();

  const paths = Array.from({ length: 5000 }, (_, index) => world.path(`file ${index}`));
  const all = await Promise.all(paths.map((path) => world.watch(path)));
  expect(systemWatches()).toBe(watches);
  await all[4999]!.after(() => writeFileSync(paths[4999]!, 'text'));
  expect(all.filter((calls) => calls.count > 0)).toHaveLength(1);

  for (const calls of all) calls.stop();
  expect(systemWatches()).toBe(watches);
  one.stop();
  expect(systemWatches()).toBe(0);
});

test('a directory with five thousand entries costs one watch of the system', async ({ skip }) => {
  skip(!onLinux, 'Only Linux says how many watches a process has');
  using world = new World();
  const one = await world.watch(world.path('file'));
  const watches = systemWatches();
  mkdirSync(world.path('directory'));
  for (let index = 0; index < 5000; index++) writeFileSync(world.path('directory', `file ${index}`), '');

  const calls = await world.watch(world.path('directory'));
  expect(systemWatches()).toBe(watches + 1);
  await calls.after(() => writeFileSync(world.path('directory', 'file 0'), 'text'));
  expect(systemWatches()).toBe(watches + 1);

  calls.stop();
  expect(systemWatches()).toBe(watches);
  one.stop();
});

test('the watch of the system is there when the watch is ready', async ({ skip }) => {
  skip(!onLinux, 'Only Linux says how many watches a process has');
  using world = new World();
  await world.watch(world.path('file'));
  const watches = systemWatches();
  for (const name of ['one', 'two', 'three']) mkdirSync(world.path(name));
  symlinkSync('three/file', world.path('link'));
  const identity = async () => 'takes no time';

  await world.watch(world.path('one'), { identity });
  expect(systemWatches()).toBe(watches + 1);
  await world.watch(world.path('two', 'file'), { identity });
  expect(systemWatches()).toBe(watches + 2);
  await world.watch(world.path('link'), { identity });
  expect(systemWatches()).toBe(watches + 3);
});

test('watches follow a directory that is replaced, and leave none behind', async ({ skip }) => {
  skip(!onLinux, 'Only Linux says how many watches a process has');
  using world = new World();
  const path = world.path('directory', 'file');
  mkdirSync(world.path('directory'));
  const calls = await world.watch(path);
  const watches = systemWatches();

  for (let round = 0; round < 5; round++) {
    await calls.after(() => {
      rmSync(world.path('directory'), { recursive: true });
      mkdirSync(world.path('directory'));
      writeFileSync(path, `text ${round}`);
    });
  }
  await calls.after(() => writeFileSync(path, 'more text'));
  expect(systemWatches()).toBe(watches);
  world.watcher.close();
  expect(systemWatches()).toBe(0);
});

test('directories beyond the limit are polled, with one warning', async () => {
  using world = new World({ maxDirectories: 0, pollMs: 20 });
  for (const name of ['one', 'two']) {
    mkdirSync(world.path(name));
    const calls = await world.watch(world.path(name, 'file'));
    await calls.after(() => writeFileSync(world.path(name, 'file'), 'text'));
  }

  expect(world.warnings).toEqual([
    expect.stringMatching(/^More than 0 directories to watch: polling every 20 ms, beginning with ".*"$/),
  ]);
});

test('a place is free again after the last stop', async () => {
  const above = realpathSync(tmpdir()).split(sep).filter(Boolean).length + 2;
  using world = new World({ maxDirectories: above + 1 });
  for (const name of ['one', 'two', 'three']) {
    mkdirSync(world.path(name));
    const calls = await world.watch(world.path(name, 'file'));
    await calls.after(() => writeFileSync(world.path(name, 'file'), 'text'));
    calls.stop();
  }
  expect(world.warnings).toEqual([]);

  await world.watch(world.path('one', 'file'));
  await world.watch(world.path('two', 'file'));
  expect(world.warnings).toHaveLength(1);
});

test.for([
  ['too few watches', 'max_inotify_watches', 2, 'ENOSPC'],
  ['no watches at all', 'max_inotify_watches', 0, 'ENOSPC'],
  ['no inotify instances', 'max_inotify_instances', 0, 'EMFILE'],
] as const)(
  'when the system has %s, directories are polled, with one warning',
  async (situation, { skip }) => {
    const [, limit, value, code] = situation;
    const limited = [
      'unshare',
      '-Ur',
      'sh',
      '-c',
      `echo ${value} > /proc/sys/user/${limit} && exec "$@"`,
      'sh',
    ];
    const [command, ...args] = limited as [string, ...string[]];
    skip(spawnSync(command, [...args, 'true']).status !== 0, `The system does not let us limit ${limit}`);

    const heard = await run('./without-watches.ts', limited);

    const warning = `^The system has no watches left \\(${code}\\): polling every 20 ms, beginning with ".*"$`;
    expect(heard.filter((message) => !isWarning(message))).toEqual(told);
    expect(heard.filter(isWarning)).toEqual([{ warning: expect.stringMatching(warning) }]);
  },
);

test('with enough watches there is no warning', async () => {
  expect(await run('./without-watches.ts')).toEqual(told);
});

test('open watches do not keep the process alive', async ({ skip }) => {
  skip(!onLinux, 'Elsewhere chokidar must keep it alive to hear of errors');
  expect(await run('./forgetful.ts')).toEqual(['at the end']);
});

test('chokidar is loaded by the first watch, not before', async () => {
  const loaded = vi.fn();
  vi.doMock('chokidar', async (original) => {
    loaded();
    return await original();
  });
  vi.resetModules();
  const { Watcher } = await import('../src/index.ts');
  using world = new World();
  using watcher = new Watcher();
  expect(loaded).not.toHaveBeenCalled();

  await watcher.watch(world.path('file'), () => {});
  expect(loaded).toHaveBeenCalledOnce();
  vi.doUnmock('chokidar');
});

function isWarning(message: unknown) {
  return Object.hasOwn(message as object, 'warning');
}

function systemWatches() {
  let watches = 0;
  for (const descriptor of readdirSync('/proc/self/fdinfo')) {
    watches += (read(`/proc/self/fdinfo/${descriptor}`).match(/^inotify wd/gm) ?? []).length;
  }
  return watches;
}

function read(path: string) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
