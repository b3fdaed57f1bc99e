import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { modes } from './modes.ts';
import { inTime, Workspace } from './workspace.ts';

// They write thousands of times.
vi.setConfig({ testTimeout: 120_000 });

describe.each(modes)('a burst of events, %s', (_, options) => {
  test('a thousand writes at once cause a few calls', async () => {
    using workspace = new Workspace(options);
    const path = workspace.path('file');
    const calls = await workspace.watch(path);

    await calls.after(() => {
      for (let write = 0; write < 1000; write++) writeFileSync(path, `write ${write}`);
    });
    await workspace.quiet();

    expect(calls.count).toBeLessThan(5);
  });

  test('the last of a thousand writes in a row causes a call', async () => {
    using workspace = new Workspace(options);
    const path = workspace.path('file');
    let reported: string | undefined;
    await workspace.watcher.watch(path, () => void (reported = readFileSync(path, 'utf8')));

    for (let write = 0; write < 1000; write++) {
      writeFileSync(path, `write ${write}`);
      if (write % 10 === 0) await turnOfTheLoop();
    }

    await vi.waitFor(() => expect(reported).toBe('write 999'), { timeout: 8000, interval: 5 });
  });

  test('writes that never pause cause calls while they go on', async () => {
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

  test('calls do not overlap', async () => {
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

test('polling does not prolong a burst', async () => {
  using workspace = new Workspace({ poll: true, pollMs: 10, settleMs: 50, maxWaitMs: 1_000_000 });
  const path = workspace.path('file');
  const calls = await workspace.watch(path);

  await calls.after(() => writeFileSync(path, 'text'));
});

test('no change is missed when the event queue of the system overflows', async () => {
  using workspace = new Workspace();
  const path = workspace.path('file');
  const noise = [workspace.path('one'), workspace.path('two')];
  for (const file of [path, ...noise]) writeFileSync(file, 'text');
  const calls = await workspace.watch(path);

  await calls.after(() => {
    // Two files in turn, because the system merges equal events that follow each other.
    for (let event = 0; event < 40_000; event++) chmodSync(noise[event % 2]!, event % 3 ? 0o600 : 0o644);
    writeFileSync(path, 'more text');
  });
  await calls.after(() => {
    writeFileSync(workspace.path('new'), 'new text');
    renameSync(workspace.path('new'), path);
  });
});
