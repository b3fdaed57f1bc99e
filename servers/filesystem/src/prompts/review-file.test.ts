import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('review_file attaches the file and adds the focus', async () => {
  using workspace = new Workspace({ 'a.txt': 'hello' });
  await using client = await workspace.connect();
  const path = join(workspace.root, 'a.txt');
  const { messages } = await client.getPrompt('review_file', { path: 'a.txt', focus: 'Speed' });
  expect(messages).toEqual([
    { role: 'user', content: { type: 'text', text: expect.stringMatching(`^Review the file ${path}: `) } },
    {
      role: 'user',
      content: {
        type: 'resource',
        resource: { uri: pathToFileURL(path).href, mimeType: 'text/plain', text: 'hello' },
      },
    },
    { role: 'user', content: { type: 'text', text: 'Look at this in particular: Speed' } },
  ]);
});

test('review_file says that only the beginning of a large file is attached', async () => {
  using workspace = new Workspace({ 'a.txt': 'x'.repeat(1_500_000) });
  await using client = await workspace.connect();
  const { messages } = await client.getPrompt('review_file', { path: 'a.txt' });
  expect(messages[0]).toMatchObject({
    content: { text: expect.stringContaining('Only its beginning is attached; it has 1500000 bytes.') },
  });
});
