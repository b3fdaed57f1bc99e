import {
  defineServer,
  defineTool,
  jsonResult,
  jsonSchema,
  ToolError,
  toolResult,
  withoutStructuredContent,
} from '@mcp/protocol';
import { connect } from '@mcp/protocol/testing';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

test('an immutable result is serialized once for each revision, and all clients get the same', async () => {
  let written = 0;
  const structured = {
    sum: 5,
    toJSON() {
      written++;
      return { sum: 5 };
    },
  };
  const result = toolResult({ content: 'Five', structuredContent: structured, immutable: true });
  const add = defineTool({
    name: 'add',
    description: 'Adds two and three.',
    outputSchema: jsonSchema({ type: 'object' }, (value) => value as typeof structured),
    run: () => result,
  });
  const server = defineServer({ name: 'adder', version: '1.0.0', tools: [add] });
  for (const [revision, times] of [
    ['2025-11-25', 1],
    ['2026-07-28', 2],
  ] as const) {
    await using client = await connect(server, { revision });
    for (let call = 0; call < 5; call++) {
      expect(await client.callTool('add')).toMatchObject({
        content: [{ type: 'text', text: 'Five' }],
        structuredContent: { sum: 5 },
      });
    }
    expect(written).toBe(times);
  }
  await using old = await connect(server, { revision: '2024-11-05' });
  const { content, structuredContent } = await old.callTool('add');
  expect(structuredContent).toBeUndefined();
  expect(content).toEqual([
    { type: 'text', text: 'Five' },
    { type: 'text', text: '{"sum":5}' },
  ]);
});

test('a tool without its output schema answers with the content alone', async () => {
  const add = defineTool({
    name: 'add',
    description: 'Adds two and three.',
    outputSchema: z.object({ sum: z.number() }),
    run: () => toolResult({ content: 'Five', structuredContent: { sum: 5 } }),
  });
  const tools = [withoutStructuredContent(add)];
  await using client = await connect(defineServer({ name: 'adder', version: '1.0.0', tools }));
  expect(await client.listTools()).toEqual([
    { name: 'add', description: 'Adds two and three.', inputSchema: expect.anything() as unknown },
  ]);
  expect(await client.callTool('add')).not.toHaveProperty('structuredContent');
  expect(await client.callTool('add')).toMatchObject({ content: [{ type: 'text', text: 'Five' }] });
});

test('a tool without its output schema keeps the structured content of JSON text and of failures', async () => {
  const add = defineTool({
    name: 'add',
    description: 'Adds two and three.',
    inputSchema: z.object({ fails: z.boolean() }),
    outputSchema: z.object({ sum: z.number() }),
    run({ fails }) {
      if (fails) throw new ToolError('Too many', { structuredContent: { error: 'overflow' } });
      return jsonResult({ content: 'Five', json: '{"sum":5}' });
    },
  });
  const tools = [withoutStructuredContent(add)];
  await using client = await connect(defineServer({ name: 'adder', version: '1.0.0', tools }));
  expect(await client.callTool('add', { fails: false })).toMatchObject({ structuredContent: { sum: 5 } });
  expect(await client.callTool('add', { fails: true })).toMatchObject({
    isError: true,
    structuredContent: { error: 'overflow' },
  });
});

describe('a tool with an output schema returns `content` as other libraries do', () => {
  const content = [{ type: 'text', text: 'x' }];
  const returning = (outputSchema: z.ZodType, value: unknown) => {
    const tool = defineTool({ name: 'give', description: 'Gives.', outputSchema, run: () => value });
    return connect(defineServer({ name: 'giver', version: '1.0.0', tools: [tool] }));
  };

  test.each([
    ['an optional field', z.object({ n: z.number().optional() }), { content, structuredContent: { n: 1 } }],
    ['a required field', z.object({ n: z.number() }), { content, structuredContent: { n: 1 } }],
    ['any fields', z.looseObject({}), { content, isError: true }],
    ['no content blocks', z.looseObject({}), { content: [], structuredContent: { n: 1 }, _meta: {} }],
  ])('%s: its author reads what to write', async (_, schema, value) => {
    await using client = await returning(schema, value);
    await expect(client.callTool('give')).rejects.toThrow(
      'The tool "give" returned an object with `content`; for text beside the value of its outputSchema, ' +
        'return `toolResult({ content, structuredContent })`, and throw a `ToolError` for a failure',
    );
  });

  test.each([
    ['a schema with `content`', z.object({ content: z.array(z.looseObject({})) }), { content }],
    ['a choice with `content`', z.union([z.object({ content: z.array(z.unknown()) })]), { content }],
    ['other members', z.looseObject({}), { content, page: 1 }],
    ['no blocks', z.looseObject({}), { content: ['x'] }],
    ['an empty list', z.looseObject({}), { content: [] }],
  ])('%s: it is the value', async (_, schema, value) => {
    await using client = await returning(schema, value);
    expect(await client.callTool('give')).toMatchObject({ structuredContent: value });
  });
});

test.each([
  ['as it is', '{"sum":5}', '{"sum":5}'],
  ['in lines', '{\n  "sum": 5\n}\n', '{   "sum": 5 } '],
])(
  'a revision without structured content gets JSON that is the content already once: %s',
  async (_, content, json) => {
    const add = defineTool({ name: 'add', description: 'Adds.', run: () => jsonResult({ content, json }) });
    const server = defineServer({ name: 'adder', version: '1.0.0', tools: [add] });
    await using old = await connect(server, { revision: '2025-03-26' });
    expect((await old.callTool('add')).content).toEqual([{ type: 'text', text: content }]);
  },
);
