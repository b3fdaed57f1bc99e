import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClientOptions, connect } from '@mcp/protocol/testing';
import { expect, test } from 'vitest';
import { notes } from '../src/server.ts';

/** Starts a server for an empty directory, and a client. */
async function start(options?: ClientOptions) {
  const directory = mkdtempSync(join(tmpdir(), 'notes-'));
  const client = await connect(notes({ directory }), options);
  return {
    directory,
    client,
    async [Symbol.asyncDispose]() {
      await client.close();
      rmSync(directory, { recursive: true });
    },
  };
}

test('a saved note is listed, read, found and completed', async () => {
  await using started = await start();
  const { client } = started;
  await client.callTool('save_note', { name: 'To do', text: '# To do\n\nWater the plants\n' });
  expect(await client.listResources()).toMatchObject([{ uri: 'note:///To%20do', name: 'To do' }]);
  const uri = 'note:///To%20do';
  expect((await client.readResource(uri)).contents).toEqual([
    { uri, mimeType: 'text/markdown', text: '# To do\n\nWater the plants\n' },
  ]);
  const found = await client.callTool('search_notes', { text: 'PLANTS' });
  expect(found.structuredContent).toEqual({ notes: [{ name: 'To do', line: 'Water the plants' }] });
  const completion = await client.complete({ resource: 'note:///{name}' }, { name: 'name', value: 'To' });
  expect(completion.values).toEqual(['To do']);
  expect(readdirSync(started.directory)).toEqual(['To do.md']);
});

test('a note is replaced only if the user agrees', async () => {
  await using started = await start({ elicit: async () => ({ action: 'decline' }) });
  const file = join(started.directory, 'milk.md');
  expect(await started.client.callTool('save_note', { name: 'milk', text: 'Milk' })).not.toHaveProperty(
    'isError',
  );
  const replaced = await started.client.callTool('save_note', { name: 'milk', text: 'Oat milk' });
  expect(replaced).toMatchObject({ isError: true, content: [{ text: 'Not done: the user declined' }] });
  expect(readFileSync(file, 'utf8')).toBe('Milk');
});

test('a subscriber is notified when another program writes a note', async () => {
  await using started = await start();
  const changed = new Promise<void>((resolve) => {
    void started.client
      .subscribe('note:///new', () => resolve())
      .then(() => {
        writeFileSync(join(started.directory, 'new.md'), 'by another program');
      });
  });
  await changed;
});

test('the prompt embeds the notes', async () => {
  await using started = await start();
  writeFileSync(join(started.directory, 'a.md'), 'one');
  writeFileSync(join(started.directory, 'b.md'), 'two');
  const { messages } = await started.client.getPrompt('summarize_notes', { style: 'verse' });
  expect(messages.map(({ content }) => content)).toMatchObject([
    { text: 'Summarize these 2 notes in verse.' },
    { resource: { uri: 'note:///a', text: 'one' } },
    { resource: { uri: 'note:///b', text: 'two' } },
  ]);
});

test('neither a name nor a symbolic link leads out of the directory', async () => {
  await using started = await start();
  const { client } = started;
  const save = await client.callTool('save_note', { name: '../outside', text: '' });
  expect(save).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('"../outside"') }] });
  symlinkSync('/etc/passwd', join(started.directory, 'link.md'));
  await expect(client.readResource('note:///link')).rejects.toThrow();
  await expect(client.readResource('note:///missing')).rejects.toThrow('No such note: "missing"');
});
