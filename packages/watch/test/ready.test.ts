import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { modes } from './modes.ts';
import { Workspace } from './workspace.ts';

// An identity that takes no time, so that only the watch itself waits.
const text = async (path: string) => readFileSync(path, 'utf8');
const entries = async (path: string) => readdirSync(path).join();

test('an identity is read once at the start, and again only after an event', async () => {
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

describe.each(modes)('a change as soon as the watch is ready, %s', (_, options) => {
  test('is reported for a file', async () => {
    using workspace = new Workspace(options);
    for (let round = 0; round < 10; round++) {
      mkdirSync(workspace.path(`${round}`));
      const path = workspace.path(`${round}`, 'file');
      writeFileSync(path, 'one');
      const calls = await workspace.watch(path, { identity: text });
      await calls.after(() => writeFileSync(path, 'two'));
    }
  });

  test('is reported for a directory', async () => {
    using workspace = new Workspace(options);
    for (let round = 0; round < 10; round++) {
      const path = workspace.path(`${round}`);
      mkdirSync(path);
      const calls = await workspace.watch(path, { identity: entries });
      await calls.after(() => writeFileSync(workspace.path(`${round}`, 'file'), 'text'));
    }
  });

  test('is reported for the target of a link', async () => {
    using workspace = new Workspace(options);
    for (let round = 0; round < 10; round++) {
      mkdirSync(workspace.path(`${round}`));
      writeFileSync(workspace.path(`${round}`, 'file'), 'one');
      symlinkSync(`${round}/file`, workspace.path(`link ${round}`));
      const calls = await workspace.watch(workspace.path(`link ${round}`), { identity: text });
      await calls.after(() => writeFileSync(workspace.path(`${round}`, 'file'), 'two'));
    }
  });

  test('is reported even when it happened while the first identity was read', async () => {
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
