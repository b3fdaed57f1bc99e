import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const script = fileURLToPath(new URL('guarded-process.ts', import.meta.url));

test.skipIf(process.platform === 'win32').each([
  ['ends', '0', ''],
  ['ignores SIGTERM', '0', "trap '' TERM;"],
  ['is given a pause', '1', ''],
])('a group that %s does not outlive a killed process; one that was removed does', async (_, pause, trap) => {
  const child = spawn(process.execPath, [script, pause, trap], {
    stdio: ['ignore', 'pipe', 'inherit', 'pipe', 'pipe'],
  });
  const [guarded, removed] = [child.stdio[3], child.stdio[4]] as [Readable, Readable];
  const ended = once(guarded.resume(), 'end');
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  const [, removedGroup = 0] = String(line).split(' ').map(Number);
  onTestFinished(() => void process.kill(-removedGroup, 'SIGKILL'));
  child.kill('SIGKILL');
  await ended;
  expect(removed.readableEnded).toBe(false);
});
