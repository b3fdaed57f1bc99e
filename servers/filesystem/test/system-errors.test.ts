import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

test('a program that runs can be replaced, and the error of an append says why not', async (context) => {
  context.skip(process.platform !== 'linux', 'Only Linux refuses to write to a program that runs');
  using workspace = new Workspace();
  copyFileSync('/bin/sleep', join(workspace.root, 'program'));
  chmodSync(join(workspace.root, 'program'), 0o755);
  const running = spawn(join(workspace.root, 'program'), ['60'], { stdio: 'ignore' });
  await once(running, 'spawn');
  try {
    await using client = await workspace.connect();
    const args = { path: 'program', content: 'x' };
    expect(await workspace.say(client, 'write_file', { ...args, append: true })).toEqual([
      'ERROR',
      'Is a running program; stop it before changing: "program"',
    ]);
    expect(await workspace.say(client, 'write_file', args)).toEqual([expect.stringMatching(/^Replaced/)]);
  } finally {
    running.kill();
  }
});
