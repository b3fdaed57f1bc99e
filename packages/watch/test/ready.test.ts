import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { modes } from './modes.ts';
import { Workspace } from './workspace.ts';

// An identity that takes no time leaves all the waiting to the watch itself.
const text = async (path: string) => readFileSync(path, 'utf8');
const entries = async (path: string) => readdirSync(path).join();

test('a file is looked at once when its watch begins, and again only when something happened', async () => {
  using workspace = new Workspace({ pollParents: false });
  const path = workspace.path('file');
  let looks = 0;
  const identity = async () => String(++looks);

  const calls = await workspace.watch(path, { identity });
  await workspace.quiet();
  expect(looks).toBe(1);

  await calls.after(() => writeFileSync(path, 'text'));
  await workspace.quiet();
  expect(looks).toBe(2);
});

describe.each(modes)('a change at once after the watch is ready, by %s', (_, options) => {
  test('of a file', async () => {
    using workspace = new Workspace(options);
    for (let round = 0; round < 10; round++) {
      mkdirSync(workspace.path(`${round}`));
      const path = workspace.path(`${round}`, 'file');
      writeFileSync(path, 'one');
      const calls = await workspace.watch(path, { identity: text });
      await calls.after(() => writeFileSync(path, 'two'));
    }
  });

  test('of a directory', async () => {
    using workspace = new Workspace(options);
    for (let round = 0; round < 10; round++) {
      const path = workspace.path(`${round}`);
      mkdirSync(path);
      const calls = await workspace.watch(path, { identity: entries });
      await calls.after(() => writeFileSync(workspace.path(`${round}`, 'file'), 'text'));
    }
  });

  test('of the file that a link leads to', async () => {
    using workspace = new Workspace(options);
    for (let round = 0; round < 10; round++) {
      mkdirSync(workspace.path(`${round}`));
      writeFileSync(workspace.path(`${round}`, 'file'), 'one');
      symlinkSync(`${round}/file`, workspace.path(`link ${round}`));
      const calls = await workspace.watch(workspace.path(`link ${round}`), { identity: text });
      await calls.after(() => writeFileSync(workspace.path(`${round}`, 'file'), 'two'));
    }
  });

  test('and a change while it becomes ready', async () => {
    using workspace = new Workspace(options);
    const path = workspace.path('file');
    writeFileSync(path, 'one');
    let looks = 0;
    const calls = await workspace.watch(path, {
      identity: async () => {
        const seen = readFileSync(path, 'utf8');
        if (looks++ === 0) {
          writeFileSync(path, 'two');
          for (let turn = 0; turn < 20; turn++) await turnOfTheLoop();
        }
        return seen;
      },
    });
    if (calls.count === 0) await calls.after(() => {});
  });
});
