import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TemporaryDirectory } from '@mcp/test-kit';
import { expect, onTestFinished, test, vi } from 'vitest';

const script = fileURLToPath(new URL('lock-holder.ts', import.meta.url));

/** A lock, the log of its holders, and processes that take it. */
function lock() {
  const directory = new TemporaryDirectory('file-lock');
  onTestFinished(() => directory[Symbol.dispose]());
  const log = directory.put('log', '');
  const locks = join(directory.root, 'locks');
  return {
    locks,
    lines: () => readFileSync(log, 'utf8').trimEnd().split('\n'),
    hold: (count?: number): ChildProcess => {
      const args = [script, join(locks, 'l'), log, ...(count === undefined ? [] : [String(count)])];
      const child = spawn(process.execPath, args, { stdio: ['pipe', 'inherit', 'inherit'] });
      onTestFinished(() => void child.kill('SIGKILL'));
      return child;
    },
  };
}

const exited = (child: ChildProcess) => once(child, 'exit');

test('of several processes, one at a time has the lock', async () => {
  const { lines, hold, locks } = lock();
  await Promise.all([hold(40), hold(40), hold(40)].map(exited));
  const found = lines();
  expect(found).toHaveLength(240);
  for (let at = 0; at < found.length; at += 2) expect(found[at + 1]).toBe(found[at]!.replace('in', 'out'));
  expect(readdirSync(locks)).toHaveLength(1);
});

test('a lock whose holder was killed is free at once', async () => {
  const { lines, hold } = lock();
  const holder = hold();
  await vi.waitUntil(() => lines()[0] === `in ${holder.pid}`, { timeout: 20_000 });
  const next = hold(1);
  holder.kill('SIGKILL');
  await exited(next);
  expect(lines()).toEqual([`in ${holder.pid}`, `in ${next.pid}`, `out ${next.pid}`]);
});

test('a lock is free whose holder has not shown for 30 seconds that it runs', async () => {
  const { lines, hold, locks } = lock();
  const holder = hold();
  await vi.waitUntil(() => lines()[0] === `in ${holder.pid}`, { timeout: 20_000 });
  holder.kill('SIGSTOP');
  const [file = ''] = readdirSync(locks);
  const then = Date.now() / 1_000 - 31;
  utimesSync(join(locks, file), then, then);
  const next = hold(1);
  await exited(next);
  expect(lines().slice(1)).toEqual([`in ${next.pid}`, `out ${next.pid}`]);
});
