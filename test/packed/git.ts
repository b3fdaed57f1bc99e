import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import type { PackedServer } from './packed-server.ts';

const run = promisify(execFile);

export const git: PackedServer = {
  name: 'git',

  async prepare(directory) {
    await run('git', ['init', '--quiet', '--initial-branch=main'], { cwd: directory });
    for (const [key, value] of Object.entries({ 'user.name': 'Ada', 'user.email': 'ada@example.com' }))
      await run('git', ['config', key, value], { cwd: directory });
    await writeFile(join(directory, 'note.txt'), 'first\n');
    return ['--repository', directory];
  },

  async use(client, directory) {
    await client.callTool('git_add', { files: ['note.txt'] });
    const heard = Promise.withResolvers<void>();
    await client.subscribe(`git://${basename(directory)}/head`, heard.resolve);
    await client.callTool('git_commit', { message: 'Add a note' });
    await heard.promise;

    const { stdout: head } = await run('git', ['rev-parse', 'HEAD'], { cwd: directory });
    const { content } = await client.callTool('git_log');
    expect(content).toMatchObject([
      { text: expect.stringMatching(`^${head.slice(0, 10)} .* Ada: Add a note\n1 commit$`) },
    ]);
  },
};
