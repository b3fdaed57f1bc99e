import { expect, test } from 'vitest';
import { overEveryTransport } from './every-transport.ts';
import { notesServer } from './fixtures/notes-server.ts';

overEveryTransport({ server: notesServer, program: 'serve-notes.ts' }, (connect, protocolVersion) => {
  test('a client lists, calls, reads, subscribes and is notified', async () => {
    await using client = await connect();
    expect(client.revision).toBe(protocolVersion);
    expect((await client.listTools()).map(({ name }) => name)).toEqual([
      'add_note',
      'count_notes',
      'clear_notes',
    ]);
    expect(await client.listResources()).toEqual([{ uri: 'note:///a', name: 'a' }]);
    expect(await client.listResourceTemplates()).toEqual([
      { uriTemplate: 'note:///{id}', name: 'note', mimeType: 'text/plain' },
    ]);
    expect((await client.readResource('note:///a')).contents).toEqual([
      { uri: 'note:///a', mimeType: 'text/plain', text: 'first' },
    ]);
    expect((await client.complete({ resource: 'note:///{id}' }, { name: 'id', value: '' })).values).toEqual([
      'a',
    ]);
    expect((await client.getPrompt('review_note', { id: 'a' })).messages).toHaveLength(2);

    const received = new Promise<void>(
      (resolve) =>
        void client
          .subscribe('note:///a', resolve)
          .then(() => client.callTool('add_note', { id: 'a', text: 'second' })),
    );
    await received;
    expect((await client.readResource('note:///a')).contents).toMatchObject([{ text: 'second' }]);
    expect((await client.callTool('count_notes')).content).toEqual([{ type: 'text', text: '{"count":1}' }]);
  });

  test('a handler requests input from the user and continues with the answer', async () => {
    const asked: string[] = [];
    await using client = await connect({
      elicit: async ({ message }) => {
        asked.push(message);
        return { action: 'accept', content: { sure: true } };
      },
    });
    const result = await client.callTool('clear_notes');
    if (protocolVersion < '2025-06-18') {
      expect(result).toEqual({
        content: [
          { type: 'text', text: `elicitation/create is not part of protocol version ${protocolVersion}` },
        ],
        isError: true,
      });
      return;
    }
    expect(result.content).toEqual([{ type: 'text', text: 'Cleared' }]);
    expect(asked).toEqual(['Delete all notes?']);
  });
});
