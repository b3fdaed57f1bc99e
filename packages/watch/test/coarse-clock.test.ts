import { mkdirSync, rmSync, symlinkSync, writeFileSync, type BigIntStats } from 'node:fs';
import { expect, test, vi } from 'vitest';
import type * as promises from 'node:fs/promises';
import { identityOf } from '../src/index.ts';
import { Workspace, type Calls } from './workspace.ts';

// Recent kernels give nearly every change its own time, older ones a tick of up to 16 ms. The test makes the
// real times coarser. A real time can be one kernel tick old (up to 10 ms), so both together stay below the
// 20 ms that an identity waits.
const tickNs = 8_000_000n;

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof promises>();
  const coarse =
    (look: typeof real.stat | typeof real.lstat) => async (path: string, options?: { bigint: boolean }) => {
      const stats = (await look(path, options)) as unknown as BigIntStats;
      if (!options?.bigint) return stats;
      for (const time of ['mtimeNs', 'ctimeNs'] as const) stats[time] -= stats[time] % tickNs;
      // As if created in the same tick; an inode number alone proves nothing, because it is soon reused.
      stats.birthtimeNs = 0n;
      return stats;
    };
  return { ...real, stat: coarse(real.stat), lstat: coarse(real.lstat) };
});

test('writes of equal length in one tick of a coarse clock have different identities', async () => {
  using workspace = new Workspace();
  const path = workspace.path('file');
  for (const looked of [path, workspace.root]) {
    const identities = new Set<string>();
    for (let write = 0; write < 10; write++) {
      writeFileSync(path, String(write));
      identities.add(await identityOf(looked));
    }
    expect(identities.size).toBe(10);
  }
});

test('the last of many writes of equal length causes a call on a coarse clock', async () => {
  using workspace = new Workspace({ settleMs: 5, maxWaitMs: 10 });
  const path = workspace.path('file');
  writeFileSync(path, '000');
  let wrote = performance.now();
  let reported = 0;
  await workspace.watcher.watch(path, () => void (reported = performance.now()));

  for (let write = 100; write < 999; write++) {
    writeFileSync(path, String(write));
    wrote = performance.now();
    if (write % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await vi.waitFor(() => expect(reported).toBeGreaterThan(wrote), { timeout: 8000, interval: 5 });
});

test('directories that are recreated with the same inodes are still watched', async () => {
  using workspace = new Workspace();
  const path = workspace.path('a', 'b', 'file');
  const make = () => {
    mkdirSync(workspace.path('a', 'b'), { recursive: true });
    writeFileSync(path, 'text');
  };
  make();
  symlinkSync('a/b', workspace.path('link'));
  const watched = [await workspace.watch(path), await workspace.watch(workspace.path('link', 'file'))];

  for (let round = 0; round < 5; round++) {
    await everyoneAfter(watched, () => {
      rmSync(workspace.path('a'), { recursive: true });
      make();
    });
    await workspace.quiet();
    await everyoneAfter(watched, () => writeFileSync(path, `changed in round ${round}`));
  }
});

async function everyoneAfter(watched: Calls[], act: () => void) {
  const all = watched.map((calls) => calls.after(() => {}));
  act();
  await Promise.all(all);
}
