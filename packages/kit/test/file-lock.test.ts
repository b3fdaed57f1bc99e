import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { withFileLock } from '../src/node.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const script = fileURLToPath(new URL('lock-holder.ts', import.meta.url));

/** A lock, the log of its owners, and processes that take it. */
function lock() {
  const directory = temporaryDirectory();
  const log = join(directory, 'log');
  writeFileSync(log, '');
  const locks = join(directory, 'locks');
  const lines = () => readFileSync(log, 'utf8').trimEnd().split('\n');
  return {
    locks,
    path: join(locks, 'l'),
    lines,
    /** Starts a process that takes the lock so many times, or until its stdin ends. */
    hold: (count?: number, clockMs = 0): ChildProcess => {
      const preload = `const now = Date.now; Date.now = () => now() + ${clockMs};`;
      const args = ['--import', `data:text/javascript,${encodeURIComponent(preload)}`, script];
      const own = [join(locks, 'l'), log, ...(count === undefined ? [] : [String(count)])];
      const child = spawn(process.execPath, [...args, ...own], { stdio: ['pipe', 'inherit', 'inherit'] });
      onTestFinished(() => void child.kill('SIGKILL'));
      return child;
    },
    entered: async (child: ChildProcess) => {
      await vi.waitUntil(() => lines().includes(`in ${child.pid}`), { timeout: 20_000 });
    },
  };
}

const exited = (child: ChildProcess) => once(child, 'exit');

function expectOneAtATime(lines: readonly string[], count: number) {
  expect(lines).toHaveLength(2 * count);
  for (let at = 0; at < lines.length; at += 2) expect(lines[at + 1]).toBe(lines[at]!.replace('in', 'out'));
}

/** Sets the last heartbeat of the only owner. */
function setHeartbeat(locks: string, ageMs: number): void {
  const [file = ''] = readdirSync(locks);
  const then = (Date.now() - ageMs) / 1_000;
  utimesSync(join(locks, file), then, then);
}

test('of several processes, one at a time has the lock, and no file is left', async () => {
  const { lines, hold, locks } = lock();
  await Promise.all([hold(40), hold(40), hold(40)].map(exited));
  expectOneAtATime(lines(), 120);
  expect(readdirSync(locks)).toEqual([]);
});

test('work of one process waits for other work of the same process', async () => {
  const { path } = lock();
  const seen: string[] = [];
  await Promise.all(
    ['a', 'b', 'c'].map((name) =>
      withFileLock(path, async () => {
        seen.push(name);
        await new Promise((resolve) => setImmediate(resolve));
        seen.push(name);
      }),
    ),
  );
  for (const at of [0, 2, 4]) expect(seen[at + 1]).toBe(seen[at]);
});

test('a lock whose owner was killed is free immediately', async () => {
  const { lines, hold, entered } = lock();
  const owner = hold();
  await entered(owner);
  const next = hold(1);
  owner.kill('SIGKILL');
  await exited(next);
  await entered(next);
  expect(lines()).toEqual([`in ${owner.pid}`, `in ${next.pid}`, `out ${next.pid}`]);
});

test('of six processes that find an abandoned lock, one at a time has it', async () => {
  const { lines, hold, locks, entered } = lock();
  const owner = hold();
  await entered(owner);
  owner.kill('SIGKILL');
  await exited(owner);
  expect(readdirSync(locks)).toHaveLength(1);
  await Promise.all(Array.from({ length: 6 }, () => exited(hold(5))));
  expectOneAtATime(lines().slice(1), 30);
});

test('a lock is free whose owner has shown for 30 seconds no sign that it runs', async () => {
  const { lines, hold, locks, entered } = lock();
  const owner = hold();
  await entered(owner);
  owner.kill('SIGSTOP');
  setHeartbeat(locks, 31_000);
  const next = hold(1);
  await exited(next);
  expect(lines().slice(1)).toEqual([`in ${next.pid}`, `out ${next.pid}`]);
});

test.each([
  ['has been dead for long', 31_000],
  ['died before the clock was set back by an hour', -3_600_000],
])('an owner on another machine that %s loses the lock', async (_, ageMs) => {
  const { lines, hold, locks } = lock();
  mkdirSync(locks);
  writeFileSync(join(locks, `l.0123456789abcdef-1-${crypto.randomUUID()}`), '');
  setHeartbeat(locks, ageMs);
  const next = hold(1);
  await exited(next);
  expect(lines()).toEqual([`in ${next.pid}`, `out ${next.pid}`]);
});

test.each([
  ['ahead', 3_600_000],
  ['back', -3_600_000],
])('a living owner keeps the lock from a process whose clock was set %s by an hour', async (_, clockMs) => {
  const { lines, hold, entered } = lock();
  const owner = hold();
  await entered(owner);
  const next = hold(1, clockMs);
  // A process that began to wait later has waited long enough to take a lock from a dead owner.
  const other = lock();
  mkdirSync(other.locks);
  writeFileSync(join(other.locks, `l.0123456789abcdef-1-${crypto.randomUUID()}`), '');
  setHeartbeat(other.locks, 31_000);
  await exited(other.hold(1));
  expect(lines()).toEqual([`in ${owner.pid}`]);
  owner.stdin!.end();
  await exited(next);
  expect(lines()).toEqual([owner, next].flatMap(({ pid }) => [`in ${pid}`, `out ${pid}`]));
});

test('a lock is free while one is held whose name begins as its own', async () => {
  const { path } = lock();
  const deadline = AbortSignal.timeout(10_000);
  const both = await withFileLock(`${path}.other`, () => withFileLock(path, async () => 'both', deadline));
  expect(both).toBe('both');
});

test('a wait ends with the reason of its signal', async () => {
  const { path } = lock();
  const reason = new Error('late');
  await withFileLock(path, async () => {
    await expect(withFileLock(path, async () => {}, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const waiting = withFileLock(path, async () => {}, controller.signal);
    setImmediate(() => controller.abort(reason));
    await expect(waiting).rejects.toBe(reason);
  });
  await expect(withFileLock(path, async () => 'free')).resolves.toBe('free');
});

test('an error of the work frees the lock, and other files beside it are no owners', async () => {
  const { path, locks } = lock();
  mkdirSync(locks);
  writeFileSync(`${path}.1`, '');
  writeFileSync(path, '');
  await expect(withFileLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(withFileLock(path, async () => 'free')).resolves.toBe('free');
  expect(readdirSync(locks)).toEqual(['l', 'l.1']);
});

test('where no lock can be written, the work runs without', async () => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'file'), '');
  await expect(withFileLock(join(directory, 'file', 'l'), async () => 'ran')).resolves.toBe('ran');
});
