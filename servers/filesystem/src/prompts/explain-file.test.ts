import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('explain_file attaches the file and adds the question', async () => {
  using workspace = new Workspace({ 'a.txt': 'hello' });
  await using client = await workspace.connect();
  const path = join(workspace.root, 'a.txt');
  const { messages } = await client.getPrompt('explain_file', { path: 'a.txt', question: 'Who says that?' });
  expect(messages).toEqual([
    {
      role: 'user',
      content: {
        type: 'text',
        text: `Explain the file ${path}: what it is for, how it works, and what to know before changing it.`,
      },
    },
    {
      role: 'user',
      content: {
        type: 'resource',
        resource: { uri: pathToFileURL(path).href, mimeType: 'text/plain', text: 'hello' },
      },
    },
    { role: 'user', content: { type: 'text', text: 'Who says that?' } },
  ]);
});

test('explain_file completes paths and reports a missing file or argument', async () => {
  using workspace = new Workspace({ 'notes.txt': '' });
  await using client = await workspace.connect();
  const suggested = await client.complete({ prompt: 'explain_file' }, { name: 'path', value: 'no' });
  expect(suggested.values).toEqual(['notes.txt']);
  await expect(client.getPrompt('explain_file', { path: 'missing' })).rejects.toThrow(
    'No such file: "missing"',
  );
  await expect(client.getPrompt('explain_file')).rejects.toThrow(
    'Invalid arguments for explain_file: Missing argument "path" (string).',
  );
});
