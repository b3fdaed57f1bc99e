import { expect, test } from 'vitest';
import { type Call, defineServer, defineTool } from '@mcp/protocol';
import { connect } from '@mcp/protocol/testing';

const about = { name: 'a', version: '1.0.0' };

test('a handler gets the context object itself, with its values at the time of the call', async () => {
  const context = { greeting: 'Hello' };
  const greet = defineTool({
    name: 'greet',
    description: 'Greets.',
    run: (_, { context: given, signal }: Call<{ greeting: string }>) => {
      expect(given).toBe(context);
      return `${given.greeting} ${signal.aborted}`;
    },
  });
  await using client = await connect(defineServer({ ...about, context, tools: [greet] }));
  expect((await client.callTool('greet')).content).toEqual([{ type: 'text', text: 'Hello false' }]);
  context.greeting = 'Goodbye';
  expect((await client.callTool('greet')).content).toEqual([{ type: 'text', text: 'Goodbye false' }]);
});

test('a context may have members with the same names as those of the call', async () => {
  const context = { signal: 'green', id: 7, inputs: 'none', open: false };
  const show = defineTool({
    name: 'show',
    description: 'Shows the context.',
    run: (_, { context: given, signal, inputs }: Call<typeof context>) =>
      JSON.stringify([given, signal.aborted, inputs]),
  });
  await using client = await connect(defineServer({ ...about, context, tools: [show] }));
  expect((await client.callTool('show')).content).toEqual([
    { type: 'text', text: JSON.stringify([context, false, {}]) },
  ]);
});

test('without a context, handlers get an empty object', async () => {
  const show = defineTool({
    name: 'show',
    description: 'Shows the context.',
    run: (_, { context }) => JSON.stringify(context),
  });
  await using client = await connect(defineServer({ ...about, tools: [show] }));
  expect((await client.callTool('show')).content).toEqual([{ type: 'text', text: '{}' }]);
});

test('a context function that returns no object fails every request that needs it, with a clear message', async () => {
  const context = (async () => undefined) as unknown as () => Promise<object>;
  const tool = defineTool({ name: 'a', description: '', run: () => '' });
  await using client = await connect(defineServer({ ...about, context, tools: [tool] }));
  await expect(client.callTool('a')).rejects.toThrow(
    'The function `context` of the server must return a promise of an object',
  );
});
