import { definePrompt, defineServer, defineTool } from '@mcp/protocol';
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
