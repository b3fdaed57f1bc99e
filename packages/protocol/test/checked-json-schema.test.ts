import { expect, test } from 'vitest';
import { defineServer, defineTool } from '@mcp/protocol';
import { checkedJsonSchema } from '@mcp/protocol/json-schema';
import { connect } from '@mcp/protocol/testing';

const echo = defineTool({
  name: 'echo',
  description: 'Echoes.',
  inputSchema: checkedJsonSchema({
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1 },
      tags: { type: 'array', items: { $ref: '#/$defs/tag' } },
    },
    required: ['page'],
    $defs: { tag: { type: 'string', pattern: '^[a-z]+$' } },
  }),
  run: (args) => JSON.stringify(args),
});

async function answer(args: { [name: string]: unknown }): Promise<string> {
  await using client = await connect(defineServer({ name: 's', version: '1', tools: [echo] }));
  const { content, isError } = await client.callTool('echo', args);
  return `${isError === true ? 'error: ' : ''}${(content[0] as { text: string }).text}`;
}

test('a tool is called with arguments that its JSON Schema accepts', async () => {
  expect(await answer({ page: 2, tags: ['a'] })).toBe('{"page":2,"tags":["a"]}');
  expect(await answer({ page: '2' })).toBe('{"page":2}');
});

test.each([
  [{}, 'Missing argument "page" (integer).'],
  [{ page: true }, 'Argument "page" must be an integer, not a boolean (true).'],
  [{ page: 0 }, 'page: must be at least 1.'],
  [{ page: 1, tags: ['A'] }, '/tags/0 must match ^[a-z]+$.'],
  [{ page: 1, pag: 2 }, 'Unknown argument "pag", did you mean "page"? Accepted arguments: "page", "tags".'],
])('%j is refused', async (args, problem) => {
  expect(await answer(args)).toBe(`error: Invalid arguments for echo: ${problem}`);
});

test('a schema of an unknown dialect is refused', () => {
  expect(() => checkedJsonSchema({ $schema: 'http://json-schema.org/draft-04/schema#' })).toThrow(
    'The schema has an unsupported "$schema": "http://json-schema.org/draft-04/schema#"',
  );
});
