import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import type { PackedServer } from './packed-server.ts';

export const filesystem: PackedServer = {
  name: 'filesystem',

  async prepare(directory) {
    await writeFile(join(directory, 'note.txt'), 'first\n');
    return [directory];
  },

  async use(client, directory) {
    const note = join(directory, 'note.txt');
    const read = await client.callTool('read_text_file', { path: 'note.txt' });
    expect(read.content).toEqual([{ type: 'text', text: 'first\n' }]);
    const written = await client.callTool('write_file', { path: 'other.txt', content: 'other\n' });
    expect(written.isError).toBeUndefined();

    const heard = Promise.withResolvers<void>();
    await client.subscribe(pathToFileURL(note).href, heard.resolve);
    await writeFile(`${note}.new`, 'second\n');
    await rename(`${note}.new`, note);
    await heard.promise;
  },
};
