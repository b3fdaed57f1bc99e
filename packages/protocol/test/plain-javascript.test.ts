import { definePrompt, defineResource, defineServer, defineTool, jsonSchema } from '@mcp/protocol';
import { connect } from '@mcp/protocol/testing';
import { expect, test } from 'vitest';

// What a compiler would have said to authors who have none.

const untyped = { defineTool, definePrompt, defineServer } as unknown as {
  [name: string]: (definition: object) => unknown;
};
const rest = { name: 'a', description: 'Does nothing', run: () => '' };

test.each([
  ['JSON Schema as it is', { type: 'object', properties: {} }],
  ['a class', class {}],
  [
    'a schema that cannot describe itself',
    { '~standard': { version: 1, vendor: 'x', validate: () => ({}) } },
  ],
])('%s is refused as a schema', (_, schema) => {
  const advice =
    'has to be a schema that checks and describes: one of zod 4.2 or later, for instance, or `jsonSchema(json, check)`';
  expect(() => untyped['defineTool']!({ ...rest, input: schema })).toThrow(
    `The input of the tool "a" ${advice}`,
  );
  expect(() => untyped['defineTool']!({ ...rest, output: schema })).toThrow(
    `The output of the tool "a" ${advice}`,
  );
  expect(() => untyped['definePrompt']!({ ...rest, input: schema })).toThrow(
    `The input of the prompt "a" ${advice}`,
  );
});

test('a server without a context is refused', () => {
  expect(() => untyped['defineServer']!({ name: 'a', version: '1.0.0' })).toThrow(
    'A server needs a `context`, what its handlers share: `{}` where that is nothing',
  );
});

test('a definition without its handler is refused', () => {
  const { run: _, ...bare } = rest;
  expect(() => untyped['defineTool']!({ ...bare, handler: () => '' })).toThrow(
    'The tool "a" needs a `run`, a function',
  );
  expect(() => untyped['definePrompt']!(bare)).toThrow('The prompt "a" needs a `run`, a function');
  expect(() => defineResource({ uri: 'a:b', name: 'b' } as never)).toThrow(
    'The resource "a:b" needs a `read`, a function',
  );
});

test('a server is refused that has no version, or a tool that nobody defined', () => {
  expect(() => untyped['defineServer']!({ name: 'a', context: {} })).toThrow(
    'A server needs a `name` and a `version`, both strings',
  );
  expect(() => untyped['defineServer']!({ name: 'a', version: '1.0.0', context: {}, tools: [rest] })).toThrow(
    'Every tool of a server is made by `defineTool(…)`',
  );
});

test('JSON Schema without a check is refused', () => {
  expect(() => (jsonSchema as (json: object) => unknown)({ type: 'object' })).toThrow(
    '`jsonSchema(json, check)` needs a function that returns the checked value or throws',
  );
});

test.each([
  ['an object', { a: 1 }],
  ['the result of another library', { content: [{ type: 'text', text: 'x' }] }],
  ['a number', 5],
  ['a list of strings', ['a']],
])('a tool that returns %s is told to its author, and not taken for an answer', async (_, value) => {
  const tool = defineTool({ ...rest, run: () => value as never });
  await using client = await connect(
    defineServer({ name: 'a', version: '1.0.0', context: {}, tools: [tool] }),
  );
  await expect(client.callTool('a')).rejects.toThrow(
    'A tool has returned what is neither text nor content: it may return `toolResult({ content })`, or a value for ' +
      'its `output` schema',
  );
});
