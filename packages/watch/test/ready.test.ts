import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ways } from './ways.ts';
import { World } from './world.ts';

// An identity that takes no time leaves all the waiting to the watch itself.
const text = async (path: string) => readFileSync(path, 'utf8');
const entries = async (path: string) => readdirSync(path).join();

test('a file is looked at once when its watch begins, and again only when something happened', async () => {
  using world = new World({ pollParents: false });
  const path = world.path('file');
  let looks = 0;
  const identity = async () => String(++looks);

  const calls = await world.watch(path, { identity });
  await world.quiet();
  expect(looks).toBe(1);

  await calls.after(() => writeFileSync(path, 'text'));
  await world.quiet();
  expect(looks).toBe(2);
});

describe.each(ways)('a change at once after the watch is ready, by %s', (_, options) => {
  test('of a file', async () => {
    using world = new World(options);
    for (let round = 0; round < 10; round++) {
      mkdirSync(world.path(`${round}`));
      const path = world.path(`${round}`, 'file');
      writeFileSync(path, 'one');
      const calls = await world.watch(path, { identity: text });
      await calls.after(() => writeFileSync(path, 'two'));
    }
  });

  test('of a directory', async () => {
    using world = new World(options);
    for (let round = 0; round < 10; round++) {
      const path = world.path(`${round}`);
      mkdirSync(path);
      const calls = await world.watch(path, { identity: entries });
      await calls.after(() => writeFileSync(world.path(`${round}`, 'file'), 'text'));
    }
  });

  test('of the file that a link leads to', async () => {
    using world = new World(options);
    for (let round = 0; round < 10; round++) {
      mkdirSync(world.path(`${round}`));
      writeFileSync(world.path(`${round}`, 'file'), 'one');
      symlinkSync(`${round}/file`, world.path(`link ${round}`));
      const calls = await world.watch(world.path(`link ${round}`), { identity: text });
      await calls.after(() => writeFileSync(world.path(`${round}`, 'file'), 'two'));
    }
  });

  test('and a change while it becomes ready', async () => {
    using world = new World(options);
    const path = world.path('file');
    writeFileSync(path, 'one');
    let looks = 0;
    const calls = await world.watch(path, {
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
