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
import { Workspace } from './workspace.ts';

// They create thousands of files.
vi.setConfig({ testTimeout: 120_000 });

const onLinux = process.platform === 'linux';
const reported = ['one', 'two', 'three'].flatMap((name) =>
  ['text', 'TEXT'].map((text) => ({ reported: `${name}: ${text}` })),
);

test('five thousand paths in one directory need as many system watches as one path', async ({ skip }) => {
  skip(!onLinux, 'Only Linux reports how many watches a process has');
  using workspace = new Workspace();
  const one = await workspace.watch(workspace.path('file 0'));
  const watches = systemWatches();

  const paths = Array.from({ length: 5000 }, (_, index) => workspace.path(`file ${index}`));
  const all = await Promise.all(paths.map((path) => workspace.watch(path)));
  expect(systemWatches()).toBe(watches);
  await all[4999]!.after(() => writeFileSync(paths[4999]!, 'text'));
  expect(all.filter((calls) => calls.count > 0)).toHaveLength(1);

  for (const calls of all) calls.stop();
  expect(systemWatches()).toBe(watches);
  one.stop();
  expect(systemWatches()).toBe(0);
});

test('a directory with five thousand entries needs one system watch', async ({ skip }) => {
  skip(!onLinux, 'Only Linux reports how many watches a process has');
  using workspace = new Workspace();
  const one = await workspace.watch(workspace.path('file'));
  const watches = systemWatches();
  mkdirSync(workspace.path('directory'));
  for (let index = 0; index < 5000; index++) writeFileSync(workspace.path('directory', `file ${index}`), '');

  const calls = await workspace.watch(workspace.path('directory'));
  expect(systemWatches()).toBe(watches + 1);
  await calls.after(() => writeFileSync(workspace.path('directory', 'file 0'), 'text'));
  expect(systemWatches()).toBe(watches + 1);

  calls.stop();
  expect(systemWatches()).toBe(watches);
  one.stop();
});

test('the system watch is set when the watch is ready', async ({ skip }) => {
  skip(!onLinux, 'Only Linux reports how many watches a process has');
  using workspace = new Workspace();
  await workspace.watch(workspace.path('file'));
  const watches = systemWatches();
  for (const name of ['one', 'two', 'three']) mkdirSync(workspace.path(name));
  symlinkSync('three/file', workspace.path('link'));
  const identity = async () => 'takes no time';

  await workspace.watch(workspace.path('one'), { identity });
  expect(systemWatches()).toBe(watches + 1);
  await workspace.watch(workspace.path('two', 'file'), { identity });
  expect(systemWatches()).toBe(watches + 2);
  await workspace.watch(workspace.path('link'), { identity });
  expect(systemWatches()).toBe(watches + 3);
});

test('system watches follow a directory that is replaced, and none is left over', async ({ skip }) => {
  skip(!onLinux, 'Only Linux reports how many watches a process has');
  using workspace = new Workspace();
  const path = workspace.path('directory', 'file');
  mkdirSync(workspace.path('directory'));
  const calls = await workspace.watch(path);
  const watches = systemWatches();

  for (let round = 0; round < 5; round++) {
    await calls.after(() => {
      rmSync(workspace.path('directory'), { recursive: true });
      mkdirSync(workspace.path('directory'));
      writeFileSync(path, `text ${round}`);
    });
  }
  await calls.after(() => writeFileSync(path, 'more text'));
  expect(systemWatches()).toBe(watches);
  workspace.watcher.close();
  expect(systemWatches()).toBe(0);
});

test('directories beyond the limit are polled, with one warning', async () => {
  using workspace = new Workspace({ maxDirectories: 0, pollMs: 20 });
  for (const name of ['one', 'two']) {
    mkdirSync(workspace.path(name));
    const calls = await workspace.watch(workspace.path(name, 'file'));
    await calls.after(() => writeFileSync(workspace.path(name, 'file'), 'text'));
  }

  expect(workspace.warnings).toEqual([
    expect.stringMatching(/^More than 0 directories to watch: polling every 20 ms, beginning with ".*"$/),
  ]);
});

test('a slot is released by the last stop', async () => {
  const above = realpathSync(tmpdir()).split(sep).filter(Boolean).length + 2;
  using workspace = new Workspace({ maxDirectories: above + 1 });
  for (const name of ['one', 'two', 'three']) {
    mkdirSync(workspace.path(name));
    const calls = await workspace.watch(workspace.path(name, 'file'));
    await calls.after(() => writeFileSync(workspace.path(name, 'file'), 'text'));
    calls.stop();
  }
  expect(workspace.warnings).toEqual([]);

  await workspace.watch(workspace.path('one', 'file'));
  await workspace.watch(workspace.path('two', 'file'));
  expect(workspace.warnings).toHaveLength(1);
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
    skip(spawnSync(command, [...args, 'true']).status !== 0, `This system does not allow limiting ${limit}`);

    const printed = await run('./without-watches.ts', limited);

    const warning = `^The system has no file watches left \\(${code}\\): polling every 20 ms, beginning with ".*"$`;
    expect(printed.filter((message) => !isWarning(message))).toEqual(reported);
    expect(printed.filter(isWarning)).toEqual([{ warning: expect.stringMatching(warning) }]);
  },
);

test('there is no warning when the system has enough watches', async () => {
  expect(await run('./without-watches.ts')).toEqual(reported);
});

test('open watches do not keep the process alive', async ({ skip }) => {
  skip(!onLinux, 'On other systems chokidar must keep it alive to receive errors');
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
  using workspace = new Workspace();
  using watcher = new Watcher();
  expect(loaded).not.toHaveBeenCalled();

  await watcher.watch(workspace.path('file'), () => {});
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
