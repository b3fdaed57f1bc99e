import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('summarize_directory attaches the listing and the README of the directory', async () => {
  using workspace = new Workspace({ 'README.md': '# It', 'src/a.ts': '', 'node_modules/b/c.js': '' });
  await using client = await workspace.connect();
  const { messages } = await client.getPrompt('summarize_directory', { path: '.' });
  expect(messages).toEqual([
    {
      role: 'user',
      content: {
        type: 'text',
        text:
          `Summarize the directory ${workspace.root}: what it is for, how it is organized, and where to start ` +
          'reading.',
      },
    },
    {
      role: 'user',
      content: {
        type: 'resource',
        resource: {
          uri: pathToFileURL(workspace.root).href,
          mimeType: 'text/plain',
          text: 'README.md\nnode_modules/\nsrc/\nsrc/a.ts',
        },
      },
    },
    {
      role: 'user',
      content: {
        type: 'resource',
        resource: {
          uri: pathToFileURL(join(workspace.root, 'README.md')).href,
          mimeType: 'text/plain',
          text: '# It',
        },
      },
    },
  ]);
});

test('summarize_directory works without a README and reports a path that is not a directory', async () => {
  using workspace = new Workspace({ 'a.txt': '' });
  await using client = await workspace.connect();
  const { messages } = await client.getPrompt('summarize_directory', { path: '.' });
  expect(messages).toHaveLength(2);
  await expect(client.getPrompt('summarize_directory', { path: 'a.txt' })).rejects.toThrow(
    'Not a directory: "a.txt"',
  );
});
