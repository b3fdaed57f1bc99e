import { expect, test } from 'vitest';
import type { Call, Caller } from '@mcp/protocol';
import { openApiTools } from '../src/index.ts';
import { call, documentOf, StubApi, toolsOf } from './stub-api.ts';

const string = { type: 'string' };
const body = (schema: unknown, required = true, type = 'application/json') => ({
  requestBody: { required, content: { [type]: { schema } } },
});

function inputOf(operation: { readonly [name: string]: unknown }, rest = {}, path = '/') {
  return toolsOf('post', path, operation, {}, rest)[0]!.inputJson;
}

test('arguments with the same name get their place before it, in one order', async () => {
  await using api = await StubApi.start();
  const operation = {
    parameters: ['cookie', 'header', 'query', 'path'].map((place) => ({
      name: 'id',
      in: place,
      required: true,
      schema: string,
    })),
    ...body({ type: 'object', properties: { id: string, query_id: string, 'filter[name]': string } }),
  };
  const tools = toolsOf('post', '/{id}', operation, { baseUrl: api.origin });
  const names = ['id', 'query_id', 'header_id', 'cookie_id', 'body_id', 'body_query_id', 'filter_name'];
  expect(Object.keys(tools[0]!.inputJson['properties'] as object)).toEqual(names);
  await call(tools, 'it', Object.fromEntries(names.map((name, index) => [name, String(index)])));
  expect(api.last.target).toBe('/0?id=1');
  expect(api.last.headers).toMatchObject({ id: '2', cookie: 'id=3' });
  expect(JSON.parse(api.last.body)).toEqual({ id: '4', query_id: '5', 'filter[name]': '6' });
});

test('parameters of an operation replace those of its path', () => {
  const document = documentOf(
    {
      '/pets/{id}': {
        parameters: [
          { $ref: '#/components/parameters/id' },
          { name: 'lang', in: 'query', description: 'Of the path', schema: string },
        ],
        get: {
          operationId: 'it',
          parameters: [{ name: 'lang', in: 'query', description: 'Of the operation', schema: string }],
        },
      },
    },
    {
      components: {
        parameters: { id: { name: 'id', in: 'path', required: true, schema: { type: 'integer' } } },
      },
    },
  );
  const [tool] = openApiTools(document, { baseUrl: 'http://x', select: { ids: ['it'] } });
  expect(tool!.inputJson).toEqual({
    type: 'object',
    properties: { id: { type: 'integer' }, lang: { type: 'string', description: 'Of the operation' } },
    required: ['id'],
    additionalProperties: false,
  });
});

test('a body with more than properties is one argument', async () => {
  await using api = await StubApi.start();
  const schemas = {
    list: { type: 'array', items: string },
    open: { type: 'object', properties: { a: string }, additionalProperties: true },
    all: { allOf: [{ type: 'object', properties: { a: string } }] },
  };
  for (const schema of Object.values(schemas)) {
    expect(inputOf(body(schema))).toMatchObject({ properties: { body: {} }, required: ['body'] });
  }
  const properties = { type: 'object', properties: { a: string }, required: ['a'] };
  expect(inputOf(body(properties))).toMatchObject({ properties: { a: string }, required: ['a'] });
  expect(inputOf(body(properties, false))).not.toHaveProperty('required');
  const tools = toolsOf('post', '/', body(properties, false), { baseUrl: api.origin });
  await call(tools, 'it');
  expect(api.last).toMatchObject({ body: '' });
  expect(api.last.headers).not.toHaveProperty('content-type');
  await call(tools, 'it', { body: { a: 'b' } });
  expect(api.last).toMatchObject({ body: '{"a":"b"}', headers: { 'content-type': 'application/json' } });
});

test('bodies of text, forms and other types of JSON', async () => {
  await using api = await StubApi.start();
  const options = { baseUrl: api.origin };
  await call(toolsOf('post', '/', body(string, true, 'text/plain'), options), 'it', { body: 'Grüße' });
  expect(api.last).toMatchObject({ body: 'Grüße', headers: { 'content-type': 'text/plain' } });
  await call(toolsOf('patch', '/', body({}, true, 'application/merge-patch+json'), options), 'it', {
    body: { a: null },
  });
  expect(api.last).toMatchObject({ method: 'PATCH', body: '{"a":null}' });
  expect(api.last.headers['content-type']).toBe('application/merge-patch+json');
  const properties = {
    list: { type: 'array' },
    deep: { type: 'object' },
    plain: { type: 'object' },
    none: {},
  };
  const form = {
    requestBody: {
      required: true,
      content: {
        'application/x-www-form-urlencoded': {
          schema: { type: 'object', properties },
          encoding: { deep: { style: 'deepObject', explode: true } },
        },
      },
    },
  };
  await call(toolsOf('post', '/', form, options), 'it', {
    list: [1, 'b&c'],
    deep: { a: 1 },
    plain: { x: 'y' },
    none: null,
  });
  expect(api.last.body).toBe('list=1&list=b%26c&deep%5Ba%5D=1&plain=%7B%22x%22%3A%22y%22%7D');
});

test('schemas that references lead to may contain themselves', async () => {
  await using api = await StubApi.start();
  const node = {
    type: 'object',
    properties: { name: string, children: { type: 'array', items: { $ref: '#/components/schemas/Node' } } },
    required: ['name'],
  };
  const operation = body({ $ref: '#/components/schemas/Node' });
  const tools = toolsOf(
    'post',
    '/',
    operation,
    { baseUrl: api.origin },
    { components: { schemas: { Node: node } } },
  );
  expect(tools[0]!.inputJson).toMatchObject({
    properties: { children: { items: { $ref: '#/$defs/Node' } } },
    $defs: { Node: { properties: { children: { items: { $ref: '#/$defs/Node' } } } } },
  });
  const args = { name: 'a', children: [{ name: 'b', children: [] }] };
  await call(tools, 'it', args);
  expect(JSON.parse(api.last.body)).toEqual(args);
  const { text } = await call(tools, 'it', { name: 'a', children: [{ name: 1 }] });
  expect(text).toBe('Invalid arguments for it: /children/0/name must be of type string.');
});

test('schemas of 3.0 become JSON Schema', () => {
  const schema = {
    type: 'object',
    properties: {
      count: {
        type: 'integer',
        format: 'int64',
        minimum: 0,
        exclusiveMinimum: true,
        maximum: 9,
        exclusiveMaximum: false,
      },
      name: { type: 'string', nullable: true, enum: ['a'], example: 'a' },
      one: { nullable: true, allOf: [{ $ref: '#/components/schemas/One', description: 'ignored' }] },
      made: { type: 'string', readOnly: true },
    },
    required: ['count', 'made'],
  };
  const rest = { openapi: '3.0.3', components: { schemas: { One: { type: 'string' } } } };
  expect(inputOf(body(schema), rest)).toEqual({
    type: 'object',
    properties: {
      count: { type: 'integer', exclusiveMinimum: 0, maximum: 9 },
      name: { type: ['string', 'null'], enum: ['a', null] },
      one: { anyOf: [{ allOf: [{ $ref: '#/$defs/One' }] }, { type: 'null' }] },
    },
    required: ['count'],
    additionalProperties: false,
    $defs: { One: { type: 'string' } },
  });
});

test('what only one side sends is in the schemas of that side, at any depth', () => {
  const pet = {
    type: 'object',
    properties: {
      id: { type: 'integer', readOnly: true },
      pin: { type: 'string', writeOnly: true },
      owner: {
        type: 'object',
        properties: { id: { type: 'integer', readOnly: true }, pin: { type: 'string', writeOnly: true } },
        required: ['id', 'pin'],
      },
    },
  };
  const operation = {
    ...body(pet),
    responses: { 200: { description: '', content: { 'application/json': { schema: pet } } } },
  };
  const [tool] = toolsOf('post', '/', operation);
  const pin = { type: 'string' };
  expect(tool!.inputJson['properties']).toEqual({
    pin,
    owner: { type: 'object', properties: { pin }, required: ['pin'] },
  });
  const id = { type: 'integer' };
  expect(tool!.outputJson!['properties']).toEqual({ id, owner: { type: 'object', properties: { id } } });
});

test('arguments are cut, fixed and described', async () => {
  await using api = await StubApi.start();
  const parameters = ['owner', 'page', 'trace'].map((name) => ({
    name,
    in: 'query',
    required: name === 'owner',
    schema: string,
  }));
  const select = { ids: ['it'] };
  const make = (it: object) =>
    toolsOf('get', '/', { parameters }, { baseUrl: api.origin, select, operations: { it } });
  const tools = make({ fixed: { owner: 'ada' }, omit: ['trace'], descriptions: { page: 'From 1.' } });
  expect(tools[0]!.inputJson).toEqual({
    type: 'object',
    properties: { page: { type: 'string', description: 'From 1.' } },
    additionalProperties: false,
  });
  await call(tools, 'it', { page: '2' });
  expect(api.last.target).toBe('/?owner=ada&page=2');
  expect((await call(tools, 'it', { owner: 'eve' })).text).toContain('Unknown argument "owner"');
  expect(() => make({ omit: ['owner'] })).toThrow('it requires the argument "owner": put it into `fixed`');
  expect(() => make({ omit: ['pages'] })).toThrow('it has no argument "pages"; did you mean "page"?');
});

test('names, descriptions, hints and scopes of a tool', () => {
  const of = (method: string, operation = {}, it = {}) =>
    toolsOf(method, '/a', operation, { operations: { it } })[0]!.definition;
  expect(of('get', { summary: 'Lists.', description: 'Lists. All of them.' })).toMatchObject({
    name: 'it',
    title: 'Lists.',
    description: 'Lists. All of them.',
    annotations: { readOnlyHint: true },
  });
  expect(of('delete')).toMatchObject({
    description: 'DELETE /a',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  });
  expect(of('get', { description: 'x'.repeat(2_000) }).description).toHaveLength(1_001);
  const own = {
    name: 'list',
    title: 'L',
    description: 'D',
    requires: ['a'],
    annotations: { destructiveHint: false },
  };
  expect(of('post', {}, own)).toMatchObject({
    ...own,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  });
});

test('headers and the query of the author are those of the call, and replace arguments', async () => {
  await using api = await StubApi.start();
  const parameters = [
    { name: 'X-Key', in: 'header', schema: string },
    { name: 'filter', in: 'query', schema: { type: 'object' } },
  ];
  const headers = ({ caller }: Call<object, Caller | undefined>) => ({
    'x-key': `key of ${caller?.principal}`,
  });
  const tools = toolsOf(
    'get',
    '/',
    { parameters },
    {
      baseUrl: api.origin,
      headers,
      query: async (_, { id }) => ({ api_key: id }),
    },
  );
  const caller = { principal: 'ada' };
  await call(tools, 'it', { 'X-Key': 'mine', filter: { api_key: 'mine', a: 'b c' } }, { caller });
  expect(api.last.headers['x-key']).toBe('key of ada');
  expect(api.last.target).toBe('/?a=b%20c&api_key=it');
});
