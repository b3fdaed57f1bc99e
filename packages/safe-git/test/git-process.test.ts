import { once } from 'node:events';
import { mkdtempSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runGit } from '../src/process/git-process.ts';

test('the process group of a git that ignores SIGTERM is killed', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'safe-git-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const fake = join(directory, 'git');
  writeFileSync(
    fake,
    `#!/bin/sh\ntrap '' TERM\ntouch '${directory}/started'\nwhile :; do sleep 0.05; done\n`,
    {
      mode: 0o755,
    },
  );
  const stop = new AbortController();
  const started = once(watch(directory, { signal: stop.signal }), 'change');
  const run = runGit({
    program: fake,
    args: [],
    cwd: directory,
    env: { PATH: process.env['PATH']! },
    signal: stop.signal,
    timeoutMs: 60_000,
    maxBytes: 10,
  });
  await started;
  stop.abort();
  await expect(run).rejects.toMatchObject({ message: 'Cancelled', killed: true });
});
