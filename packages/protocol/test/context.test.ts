import { expect, test } from 'vitest';
import { defineServer, defineTool } from '@mcp/protocol';
import { connect } from '@mcp/protocol/testing';

test.each(['signal', 'state', 'id', 'notify'])(
  'a context with a member "%s" is refused: calls have one',
  async (name) => {
    const server = defineServer({ name: 'a', version: '1.0.0', context: { [name]: 1 } });
    await expect(connect(server)).rejects.toThrow(
      `A server's context cannot have a member "${name}": calls have one of their own`,
    );
  },
);

test('a handler takes its needs from the context and the call at once, as they are at that time', async () => {
  const context = { greeting: 'Hello' };
  const greet = defineTool({
    name: 'greet',
    description: 'Greets.',
    run: (_, { greeting, signal }: { greeting: string; signal: AbortSignal }) =>
      `${greeting} ${signal.aborted}`,
  });
  await using client = await connect(defineServer({ name: 'a', version: '1.0.0', context, tools: [greet] }));
  expect((await client.callTool('greet')).content).toEqual([{ type: 'text', text: 'Hello false' }]);
  context.greeting = 'Goodbye';
  expect((await client.callTool('greet')).content).toEqual([{ type: 'text', text: 'Goodbye false' }]);
});
