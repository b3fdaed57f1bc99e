import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { modes } from './modes.ts';
import { inTime, Workspace } from './workspace.ts';

describe.each(modes)('a burst, by %s', (_, options) => {
  test('of a thousand writes at once is a few calls', async () => {
    using workspace = new Workspace(options);
    const path = workspace.path('file');
    const calls = await workspace.watch(path);

    await calls.after(() => {
      for (let write = 0; write < 1000; write++) writeFileSync(path, `write ${write}`);
    });
    await workspace.quiet();

    expect(calls.count).toBeLessThan(5);
  });

  test('of a thousand writes in a row is told of to its end', async () => {
    using workspace = new Workspace(options);
    const path = workspace.path('file');
    let told: string | undefined;
    await workspace.watcher.watch(path, () => void (told = readFileSync(path, 'utf8')));

    for (let write = 0; write < 1000; write++) {
      writeFileSync(path, `write ${write}`);
      if (write % 10 === 0) await turnOfTheLoop();
    }

    await vi.waitFor(() => expect(told).toBe('write 999'), { timeout: 8000, interval: 5 });
  });

  test('that does not end is told of while it lasts', async () => {
    using workspace = new Workspace({ ...options, settleMs: 30, maxWaitMs: 60 });
    const path = workspace.path('file');
    const calls = await workspace.watch(path);

    let writes = 0;
    let writing = true;
    const writer = (async () => {
      while (writing) {
        writeFileSync(path, `write ${writes++}`);
        await turnOfTheLoop();
      }
    })();
    for (let call = 0; call < 3; call++) await calls.after(() => {});
    writing = false;
    await writer;

    expect(writes).toBeGreaterThan(calls.count);
  });

  test('does not make two calls at a time', async () => {
    using workspace = new Workspace(options);
    const path = workspace.path('file');
    let running = 0;
    let most = 0;
    let calls = 0;
    let third = () => {};
    const done = new Promise<void>((resolve) => (third = resolve));
    await workspace.watcher.watch(path, async () => {
      most = Math.max(most, ++running);
      writeFileSync(path, `call ${++calls}`);
      for (let turn = 0; turn < 20; turn++) await turnOfTheLoop();
      running--;
      if (calls === 3) third();
    });

    writeFileSync(path, 'the first');
    await inTime(done, 'No third call');

    expect(most).toBe(1);
  });
});

test('looks that are not caused by a change do not prolong a burst', async () => {
  using workspace = new Workspace({ poll: true, pollMs: 10, settleMs: 50, maxWaitMs: 1_000_000 });
  const path = workspace.path('file');
  const calls = await workspace.watch(path);

  await calls.after(() => writeFileSync(path, 'text'));
});

test('more events than the system keeps lose nothing', async () => {
  using workspace = new Workspace();
  const path = workspace.path('file');
  const noise = [workspace.path('one'), workspace.path('two')];
  for (const file of [path, ...noise]) writeFileSync(file, 'text');
  const calls = await workspace.watch(path);

  await calls.after(() => {
    // Two in turn, because the system joins equal events that follow each other.
    for (let event = 0; event < 40_000; event++) chmodSync(noise[event % 2]!, event % 3 ? 0o600 : 0o644);
    writeFileSync(path, 'more text');
  });
  await calls.after(() => {
    writeFileSync(workspace.path('new'), 'new text');
    renameSync(workspace.path('new'), path);
  });
});
