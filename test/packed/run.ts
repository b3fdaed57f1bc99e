import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { PackedServer } from './packed-server.ts';

export const run: PackedServer = {
  name: 'run',

  async prepare(directory) {
    const project = join(directory, 'project');
    await mkdir(project);
    const commands = { count: { description: 'Counts.', argv: ['wc', '-l', 'notes.txt'], cwd: 'project' } };
    await writeFile(join(project, 'notes.txt'), 'Milk\nBread\n');
    await writeFile(join(directory, 'commands.json'), JSON.stringify({ writable: ['project'], commands }));
    return [join(directory, 'commands.json')];
  },

  async use(client) {
    const heard = Promise.withResolvers<void>();
    await client.subscribe('run://count', heard.resolve);
    const { content } = await client.callTool('count');
    expect(JSON.stringify(content)).toContain('2 notes.txt');
    await heard.promise;
  },
};
