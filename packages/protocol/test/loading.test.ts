import { type Call, defineResource, defineServer, defineTool } from '@mcp/protocol';
import { connect } from '@mcp/protocol/testing';
import { describe, expect, test } from 'vitest';

type Notes = { readonly notes: readonly string[] };

const count = defineTool({
  name: 'count',
  description: 'Counts the notes',
  run: (_, { context: { notes } }: Call<Notes>) => String(notes.length),
});

const note = defineResource({
  uri: 'note:///{index}',
  name: 'note',
  read: ({ index }, { context: { notes } }: Call<Notes>) => notes[Number(index)] ?? '',
  watch(_, changed, { context: { notes } }: Call<Notes>) {
    if (notes.length > 0) changed();
    return () => {};
  },
});

/** A server with deferred lists; `loads` counts the loads, and `fail` makes the next one fail. */
function lateServer() {
  const late = { loads: 0, fail: false };
  const server = defineServer({
    name: 'late',
    version: '1.0.0',
    context: async (): Promise<Notes> => {
      late.loads += 1;
      if (late.fail) throw new Error('Not yet');
      return { notes: ['one', 'two'] };
    },
    contextFor: (roots, { notes }) => ({ notes: notes.slice(0, roots.length) }),
    tools: async () => [count],
    resources: [note],
  });
  return { late, server };
}

const legacy = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

describe.each([...legacy, '2026-07-28'])('at %s', (revision) => {
  test('a deferred list is loaded once, before the first request that needs it', async () => {
    const { late, server } = lateServer();
    await using client = await connect(server, { revision });
    await using other = await connect(server, { revision });
    const answers = await Promise.all([
      client.readResource('note:///1'),
      client.callTool('count'),
      other.callTool('count'),
      other.listTools(),
    ]);
    expect(answers).toMatchObject([
      { contents: [{ text: 'two' }] },
      { content: [{ text: '2' }] },
      { content: [{ text: '2' }] },
      [{ name: 'count' }],
    ]);
    expect(late.loads).toBe(1);
  });

  test('a deferred list is loaded before a subscription that needs it', async () => {
    const { server } = lateServer();
    await using client = await connect(server, { revision });
    const received = Promise.withResolvers<void>();
    await client.subscribe('note:///0', received.resolve);
    await received.promise;
  });

  test('a failure to load fails one request, and the next request tries again', async () => {
    const { late, server } = lateServer();
    late.fail = true;
    await using client = await connect(server, { revision });
    await expect(client.callTool('count')).rejects.toThrow('Not yet');
    late.fail = false;
    expect(await client.callTool('count')).toMatchObject({ content: [{ text: '2' }] });
  });
});

test.each(legacy)('at %s, the context for roots is built from the loaded context', async (revision) => {
  const { server } = lateServer();
  const roots = async () => [{ uri: 'file:///a' }];
  await using client = await connect(server, { revision, roots });
  expect(await client.callTool('count')).toMatchObject({ content: [{ text: '1' }] });
});
