import {
  definePrompt,
  defineResource,
  defineServer,
  defineTool,
  jsonSchema,
  type Server,
} from '@mcp/protocol';
import { httpHandler, serveHttp } from '@mcp/protocol/http';
import { connect } from '@mcp/protocol/testing';
import { webHandler } from '@mcp/protocol/web';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import * as mini from 'zod/mini';

// The compiler reports these mistakes to authors of TypeScript.

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
    'must be a schema that validates and describes itself as JSON Schema: for example one of zod 4.2 or later, or ' +
    '`jsonSchema(json, check)`';
  expect(() => untyped['defineTool']!({ ...rest, inputSchema: schema })).toThrow(
    `The inputSchema of the tool "a" ${advice}`,
  );
  expect(() => untyped['defineTool']!({ ...rest, outputSchema: schema })).toThrow(
    `The outputSchema of the tool "a" ${advice}`,
  );
  expect(() => untyped['definePrompt']!({ ...rest, inputSchema: schema })).toThrow(
    `The inputSchema of the prompt "a" ${advice}`,
  );
});

test.each([
  ['null', null],
  ['a string', 'x'],
  ['a number', 5],
])('%s is refused as a context', (_, context) => {
  expect(() => untyped['defineServer']!({ name: 'a', version: '1.0.0', context })).toThrow(
    'The `context` of a server must be an object, or a function that returns a promise of one',
  );
});

test.each([
  ['text', z.string()],
  ['a list', z.array(z.string())],
  ['an object or text', z.union([z.object({}), z.string()])],
  ['anything', z.any()],
])('a schema of %s is refused where a tool is defined, with its name', (_, inputSchema) => {
  expect(() => untyped['defineTool']!({ ...rest, inputSchema })).toThrow(
    'The inputSchema of the tool "a" must be a schema of objects, such as z.object({ … })',
  );
});

test('a schema that JSON Schema cannot describe is refused where it is used, with the name of the tool', () => {
  const schema = z.object({ at: z.date() });
  const problem = 'cannot be described as JSON Schema: Date cannot be represented in JSON Schema';
  expect(() => untyped['defineTool']!({ ...rest, inputSchema: schema })).toThrow(
    `The inputSchema of the tool "a" ${problem}`,
  );
  expect(() => untyped['defineTool']!({ ...rest, outputSchema: schema })).toThrow(
    `The outputSchema of the tool "a" ${problem}`,
  );
  expect(() => untyped['definePrompt']!({ ...rest, inputSchema: schema })).toThrow(
    `The inputSchema of the prompt "a" ${problem}`,
  );
});

test.each([
  ['tool', 'defineTool', 'Invalid name of a tool: undefined; expected 1 to 128 of A-Z a-z 0-9 _ - .'],
  ['prompt', 'definePrompt', 'The prompt needs a `name`, a string'],
])('a %s without a name is refused', (_, define, message) => {
  expect(() => untyped[define]!({ description: '', run: () => '' })).toThrow(message);
});

test('two tools with one name are refused', () => {
  const tool = untyped['defineTool']!(rest);
  expect(() => untyped['defineServer']!({ name: 'a', version: '1.0.0', tools: [tool, tool] })).toThrow(
    'Duplicate tool: "a"',
  );
});

test('a value that defineServer did not make is refused as a server', async () => {
  await expect(connect({ name: 'a' } as never)).rejects.toThrow(
    'Not a server: make one with `defineServer(…)`',
  );
});

test('the error of tools/list names the invalid tool of a deferred list', async () => {
  const tools = async () => [untyped['defineTool']!({ ...rest, inputSchema: z.string() })];
  const server = defineServer({ name: 'a', version: '1.0.0', tools: tools as never });
  await using client = await connect(server);
  await expect(client.listTools()).rejects.toThrow(
    'The inputSchema of the tool "a" must be a schema of objects, such as z.object({ … })',
  );
});

test.each([
  [
    'zod/mini',
    mini.object({ a: mini.string() }),
    'import it from "zod" 4.2 or later, or pass `jsonSchema(z.toJSONSchema',
  ],
  [
    'valibot',
    { '~standard': { version: 1, vendor: 'valibot', validate: () => ({}) } },
    'jsonSchema(toJsonSchema(schema), (value) => parse(schema, value))',
  ],
  [
    'Effect',
    { '~standard': { version: 1, vendor: 'effect', validate: () => ({}) } },
    'JSONSchema.make(schema)',
  ],
])('a schema of %s is refused with what makes it describe itself', (_, inputSchema, advice) => {
  expect(() => untyped['defineTool']!({ ...rest, inputSchema })).toThrow(advice);
});

test('a schema of zod/mini works as the message says', async () => {
  const schema = mini.object({ a: mini.string() });
  const inputSchema = jsonSchema(mini.toJSONSchema(schema), (value) => schema.parse(value));
  const tool = defineTool({ ...rest, inputSchema, run: ({ a }) => a });
  await using client = await connect(defineServer({ name: 'a', version: '1.0.0', tools: [tool] }));
  expect((await client.callTool('a', { a: 'b' })).content).toEqual([{ type: 'text', text: 'b' }]);
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

test('a server without a version, and one with a tool that was not defined, are refused', () => {
  expect(() => untyped['defineServer']!({ name: 'a' })).toThrow(
    'A server needs a `name` and a `version`, both strings',
  );
  expect(() => untyped['defineServer']!({ name: 'a', version: '1.0.0', tools: [rest] })).toThrow(
    'Every tool of a server must be made by `defineTool(…)`',
  );
});

const served = defineServer({ name: 'a', version: '1.0.0' });
const opened = {
  serveHttp: async (options: object) => (await serveHttp(served, options)).close(),
  httpHandler: async (options: object) => httpHandler(served, options).close(),
  webHandler: async (options: object) => webHandler(served, options).close(),
};
const common = 'path, authorization, allowedHosts, allowedOrigins, passHeaders, sse, card, sealedSessions, ';

describe.each(Object.keys(opened) as (keyof typeof opened)[])('%s', (name) => {
  test.each([
    ['login', `; expected ${common}`],
    ['auth', '; did you mean "authorization"?'],
    ['__proto__x', `; expected ${common}`],
  ])('an unknown option opens no server: %j', async (option, advice) => {
    await expect(opened[name]({ [option]: {} })).rejects.toThrow(
      `\`${name}\` has no option "${option}"${advice}`,
    );
  });

  test('an option without a value may have any name', async () => {
    await opened[name]({ login: undefined });
  });
});

test('an endpoint to mount takes no token', () => {
  const options: object = { token: 'secret' };
  expect(() => httpHandler(served, options)).toThrow('`httpHandler` has no option "token"');
  expect(() => webHandler(served, options)).toThrow('`webHandler` has no option "token"');
});

test('jsonSchema without a check function is refused', () => {
  expect(() => (jsonSchema as (json: object) => unknown)({ type: 'object' })).toThrow(
    '`jsonSchema(json, check)` needs a function that returns the checked value or throws',
  );
});

test.each([
  ['an object', { a: 1 }],
  ['the result of another library', { content: [{ type: 'text', text: 'x' }] }],
  ['a number', 5],
  ['a list of strings', ['a']],
])('a tool that returns %s fails with a message for its author', async (_, value) => {
  const tool = defineTool({ ...rest, run: () => value as never });
  await using client = await connect(defineServer({ name: 'a', version: '1.0.0', tools: [tool] }));
  await expect(client.callTool('a')).rejects.toThrow(
    'The tool returned neither text nor content; it may return `toolResult({ content })`, or a value that matches ' +
      'its `outputSchema`',
  );
});

test.each([
  ['a lone message', { role: 'user', content: { type: 'text', text: 'Hello' } }],
  ['messages that are no list', { messages: { role: 'user' } }],
  ['a list of strings', ['Hello']],
  ['a message without content', [{ role: 'user' }]],
  ['a number', 5],
  ['nothing', undefined],
])('a prompt that returns %s has an error that names it and what to return', async (_, value) => {
  const prompt = untyped['definePrompt']!({ ...rest, run: () => value });
  const server = untyped['defineServer']!({ name: 'a', version: '1.0.0', prompts: [prompt] }) as Server;
  await using client = await connect(server);
  await expect(client.getPrompt('a')).rejects.toMatchObject({
    code: -32603,
    message: expect.stringContaining(
      'The prompt "a" must return a string, a list of messages such as [userMessage(text)], or { messages }',
    ),
  });
});
