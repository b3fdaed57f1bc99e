import { expect, test } from 'vitest';
import { openApiTools, type OpenApiOptions } from '../src/index.ts';
import { call, documentOf, json, StubApi, toolsOf } from './stub-api.ts';

const string = { type: 'string' };
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: string });

function refused(document: unknown, options: Partial<OpenApiOptions> = {}) {
  return () => openApiTools(document, { baseUrl: 'http://x', select: { where: () => true }, ...options });
}

const get = (operation: object) => documentOf({ '/a': { get: { operationId: 'it', ...operation } } });
const withBody = (schema: unknown) =>
  documentOf({
    '/a': { post: { operationId: 'it', requestBody: { content: { 'application/json': { schema } } } } },
  });

test.each([
  ['text', '"#" of the OpenAPI document: must be an object; parse the text'],
  [{ swagger: '2.0' }, '"#" of the OpenAPI document: "swagger" is "2.0"; expected "openapi" 3.0 or 3.1'],
  [{ paths: {} }, '"openapi" is missing; expected'],
  [{ openapi: '3.2.0', paths: {} }, '"openapi" is "3.2.0"; expected'],
  [documentOf([] as never), '"#/paths" of the OpenAPI document: must be an object'],
  [documentOf({ pets: {} }), '"#/paths/pets" of the OpenAPI document: a path must begin with "/"'],
  [
    documentOf({ '/a~b/{c}': { get: 1 } }),
    '"#/paths/~1a~0b~1{c}/get" of the OpenAPI document: must be an object',
  ],
  [get({ operationId: 1 }), '"#/paths/~1a/get/operationId" of the OpenAPI document: must be a string'],
  [get({ tags: 'a' }), '"#/paths/~1a/get/tags" of the OpenAPI document: must be a list of strings'],
  [get({ parameters: {} }), '"#/paths/~1a/get/parameters" of the OpenAPI document: must be a list'],
  [get({ responses: [] }), '"#/paths/~1a/get/responses" of the OpenAPI document: must be an object'],
  [
    documentOf({ '/a': { get: { operationId: 'x' }, put: { operationId: 'x' } } }),
    '"#/paths/~1a/put" of the OpenAPI document: the operationId "x" is also that of "#/paths/~1a/get"',
  ],
  [
    get({ parameters: [{ $ref: '#/components/parameters/none' }] }),
    '"#/paths/~1a/get/parameters/0" of the OpenAPI document: the reference "#/components/parameters/none" leads to nothing',
  ],
  [
    documentOf({}, { components: { schemas: { default: { items: { $ref: '#/__proto__/x' } } } } }),
    '"#/components/schemas/default/items" of the OpenAPI document: the reference "#/__proto__/x" leads to nothing',
  ],
])('a document with mistakes is refused with the place: %j', (document, message) => {
  expect(refused(document)).toThrow(message);
});

test.each([
  [get({ parameters: [{ in: 'query', schema: {} }] }), '"#/paths/~1a/get/parameters/0/name"'],
  [
    get({ parameters: [{ name: 'a', in: 'body', schema: {} }] }),
    'parameters/0/in" of the OpenAPI document: must be one',
  ],
  [get({ parameters: [{ name: 'a', in: 'query' }] }), 'needs a "schema", or a "content" with a media type'],
  [
    get({ parameters: [{ name: 'a', in: 'query', schema: 1 }] }),
    '/schema" of the OpenAPI document: must be a schema',
  ],
  [get({ parameters: [{ name: 'a', in: 'query', style: 'x', schema: {} }] }), '/style"'],
  [get({ parameters: [{ ...inPath('b'), name: 'b' }] }), 'its path has no "{b}"'],
  [get({ parameters: [{ name: 'a: b\r\nc', in: 'header', schema: {} }] }), 'no header can have this name'],
  [
    get({ parameters: [{ name: 'Host', in: 'header', schema: {} }] }),
    'an argument cannot be the header "Host"',
  ],
  [documentOf({ '/{a}': { get: {} } }), 'no parameter describes "{a}" of its path'],
  [documentOf({ '/a#b': { get: {} } }), 'its path has a "?", "#" or "\\"'],
  [documentOf({ '/a': { trace: {} } }), '`fetch` cannot send TRACE'],
  [
    withBody({ $ref: 'https://evil.example/schema.json' }),
    'leads out of the document, and nothing is fetched',
  ],
  [withBody({ $ref: 'file:///etc/passwd' }), '"file:///etc/passwd" leads out of the document'],
  [withBody({ $ref: './other.yaml#/a' }), '"./other.yaml#/a" leads out of the document'],
  [withBody({ type: 'text' }), '"text" must be one of null, boolean, object'],
  [withBody({ allOf: {} }), '/schema/allOf" of the OpenAPI document: must be a list of schemas'],
  [withBody({ enum: 'a' }), '/schema/enum" of the OpenAPI document: "a" must be a list'],
  [
    withBody({ description: 'x'.repeat(60_000) }),
    'more than `limits.maxSchemaLength`: 50000; put the largest into',
  ],
])('a chosen operation that cannot be a tool is refused by its name: %#', (document, message) => {
  expect(refused(document)).toThrow(/^No tool can be made of the operation ".+" \([A-Z]+ \/.*\): /);
  expect(refused(document)).toThrow(message);
});

test('a reference out of the document stops only the operation that has it', () => {
  const document = documentOf({
    '/a': { get: { operationId: 'a', parameters: [{ $ref: 'https://evil.example/p' }] } },
    '/b': { get: { operationId: 'b' } },
  });
  expect(refused(document, { select: { ids: ['b'] } })()).toHaveLength(1);
  expect(refused(document)).toThrow('No tool can be made of the operation "a" (GET /a)');
});

test('references in circles, and objects that contain themselves', () => {
  const schemas = {
    A: { $ref: '#/components/schemas/B' },
    B: { $ref: '#/components/schemas/A' },
  };
  const circle = { ...withBody({ $ref: '#/components/schemas/A' }), components: { schemas } };
  expect(refused(circle)).toThrow('its references lead to each other');
  const endless: { [name: string]: unknown } = { type: 'object' };
  endless['properties'] = { self: endless };
  expect(refused(withBody(endless))).toThrow('the schema is nested deeper than 64, or contains itself');
  // As YAML makes it of nine aliases, each ten times.
  let bomb: unknown = string;
  for (let level = 0; level < 9; level++) bomb = { allOf: Array.from({ length: 10 }, () => bomb) };
  expect(refused(withBody(bomb))).toThrow('the schema has more than 20000 parts');
});

test('documents that are deep or have 100,000 operations', () => {
  const deep = JSON.parse(`${'{"x":'.repeat(100_000)}1${'}'.repeat(100_000)}`) as unknown;
  expect(refused(documentOf({}, { deep }))).toThrow('`select` matches no operation');
  const paths = Object.fromEntries(
    Array.from({ length: 100_000 }, (_, index) => [
      `/${index}`,
      { get: { operationId: `op${index}`, tags: [`t${index}`] } },
    ]),
  );
  const large = documentOf(paths);
  expect(refused(large, { select: { ids: ['op99999'] } })()).toHaveLength(1);
  let message = '';
  try {
    refused(large, { select: {} })();
  } catch (error) {
    message = String(error);
  }
  expect(message).toContain('has 100000 operations');
  expect(message).toContain('and 99900 more');
  expect(message.length).toBeLessThan(4_000);
});

test('names of the prototype are names like others', async () => {
  await using api = await StubApi.start(json(JSON.parse('{"__proto__":{"a":1},"constructor":2}')));
  const document = JSON.parse(`{
    "openapi": "3.1.0",
    "paths": { "/{__proto__}": { "post": {
      "operationId": "constructor",
      "tags": ["__proto__"],
      "parameters": [{ "name": "__proto__", "in": "path", "required": true, "schema": { "type": "string" } },
        { "name": "toString", "in": "query", "schema": { "$ref": "#/components/schemas/__proto__" } }],
      "requestBody": { "required": true, "content": { "application/json": { "schema": { "type": "object",
        "properties": { "constructor": { "type": "string" }, "hasOwnProperty": { "type": "integer" } } } } } },
      "responses": { "200": { "content": { "application/json": { "schema": { "type": "object",
        "properties": { "__proto__": { "type": "object" } } } } } } }
    } } },
    "components": { "schemas": { "__proto__": { "type": "string" } } }
  }`) as unknown;
  const tools = openApiTools(document, { baseUrl: api.origin, select: { tags: ['__proto__'] } });
  const args = JSON.parse('{"__proto__":"p","toString":"t","constructor":"c","hasOwnProperty":1}') as {
    [name: string]: unknown;
  };
  const outcome = await call(tools, 'constructor', args);
  expect(outcome.text).toBe('{"__proto__":{"a":1},"constructor":2}');
  expect(api.last.target).toBe('/p?toString=t');
  expect(api.last.body).toBe('{"constructor":"c","hasOwnProperty":1}');
  expect(({} as { a?: unknown }).a).toBeUndefined();
});

test.each([
  '..',
  '.',
  '../admin',
  'a/../../b',
  '..\\b',
  '%2e%2e/../x',
  '%2e%2E',
  '..%2fadmin',
  'a%5c.%2e',
  '.\t.',
  '..;a=b/c',
  '.;x',
])('the value %j does not leave its place in the path', async (id) => {
  await using api = await StubApi.start();
  const options = { baseUrl: `${api.origin}/v1` };
  for (const style of ['simple', 'label', 'matrix']) {
    const parameters = [{ ...inPath('id'), style, schema: {} }];
    const tools = toolsOf('get', '/users/{id}/x', { parameters }, options);
    for (const value of [id, ['a', id], { a: id }, { [id]: 'a' }]) {
      const { text } = await call(tools, 'it', { id: value });
      expect(text).toBe('Argument "id": a value in a path must have no part "." or "..", even encoded');
    }
  }
  expect(api.received).toEqual([]);
});

test.each(['', null, [], [''], [null], {}, { a: null }])('the value %j does not empty a path', async (id) => {
  await using api = await StubApi.start();
  const parameters = [{ ...inPath('id'), schema: {} }];
  const tools = toolsOf('get', '/users/{id}/x', { parameters }, { baseUrl: api.origin });
  expect((await call(tools, 'it', { id })).text).toBe('Argument "id": a value in a path must not be empty');
  const fixed = { operations: { it: { fixed: { id: undefined } } } };
  const cut = toolsOf('get', '/users/{id}/x', { parameters }, { baseUrl: api.origin, ...fixed });
  expect((await call(cut, 'it')).text).toBe('The path has no value of "{id}"');
  expect(api.received).toEqual([]);
});

test('other values in a path stay one part of it', async () => {
  await using api = await StubApi.start();
  const parameters = [inPath('a'), inPath('b')];
  const tools = toolsOf('get', '/{a}{b}/x', { parameters }, { baseUrl: `${api.origin}/v1` });
  for (const a of [
    '//evil.example',
    'http://evil.example/',
    '@evil.example',
    '?x#y',
    '%2e%2e%2e',
    '\r\nhost: x',
    '%',
  ]) {
    expect((await call(tools, 'it', { a, b: '1' })).isError).toBeUndefined();
    expect(api.last.target).toBe(`/v1/${encodeURIComponent(a)}1/x`);
  }
  expect((await call(tools, 'it', { a: '', b: '1' })).text).toBe(
    'Argument "a": a value in a path must not be empty',
  );
  expect((await call(tools, 'it', { a: '\ud800', b: '1' })).text).toBe(
    'Argument "a": the text has half of a character',
  );
  const dots = toolsOf('get', '/{a}.', { parameters: [{ ...inPath('a'), style: 'label', schema: {} }] });
  expect((await call(dots, 'it', { a: '' })).isError).toBe(true);
});

test('a document cannot leave the base URL', async () => {
  await using evil = await StubApi.start();
  await using api = await StubApi.start();
  const servers = [{ url: evil.origin }];
  const paths = ['//evil.example/a', '/@evil.example/a'];
  for (const path of paths) {
    await call(toolsOf('get', path, { servers }, { baseUrl: `${api.origin}/v1` }, { servers }), 'it');
    expect(api.last.target).toBe(`/v1${path}`);
  }
  expect(evil.received).toEqual([]);
});

test.each([
  '/../../admin',
  '/a/./b',
  '/%2e%2E/admin',
  '/.%2e',
  '/a/..%2fb',
  '/..%5Cadmin',
  '/.\t./.\n./admin',
  '/a\rb',
  '/\n/127.0.0.1:7421/x',
  '/a ',
])('the path %j of a document is refused when the tool is made', (path) => {
  const make = () => toolsOf('get', path, {}, { baseUrl: 'http://127.0.0.1:9/v1' });
  expect(make).toThrow(/^No tool can be made of the operation "it" \(GET /);
  expect(make).toThrow(
    /its path has (?:a part "\." or "\.\."|a control character, which URLs drop)|its path ends with a space/,
  );
});

test('a path whose parts become ".." only together is refused before the request', async () => {
  await using api = await StubApi.start();
  const parameters = [inPath('a'), inPath('b')];
  const options = { baseUrl: `${api.origin}/v1` };
  const tools = toolsOf('get', '/{a}{b}/admin', { parameters }, options);
  expect((await call(tools, 'it', { a: '.', b: '.' })).text).toContain('must have no part "." or ".."');
  const label = [{ ...inPath('a'), style: 'label', schema: {} }];
  const half = toolsOf('get', '/.{a}/admin', { parameters: label }, options);
  expect((await call(half, 'it', { a: '' })).text).toBe('No part of the path may be "." or ".."');
  const matrix = [{ ...inPath('a'), style: 'matrix' }];
  const whole = toolsOf('get', '/..{a}/admin', { parameters: matrix }, options);
  expect((await call(whole, 'it', { a: 'x' })).text).toBe('No part of the path may be "." or ".."');
  expect(api.received).toEqual([]);
});

test('values of headers have no line breaks, and no secret is shown', async () => {
  await using api = await StubApi.start();
  const parameters = [{ name: 'X-A', in: 'header', schema: string }];
  const options = { baseUrl: api.origin };
  const tools = toolsOf('get', '/', { parameters }, options);
  for (const value of ['a\r\nx-evil: 1', 'a\nb', 'a\0', '😀']) {
    expect((await call(tools, 'it', { 'X-A': value })).text).toBe(
      'Argument "X-A": the value has a character that a header cannot have, such as a line break',
    );
  }
  const own = toolsOf('get', '/', {}, { ...options, headers: { authorization: 'Bearer secret\n' } });
  expect((await call(own, 'it')).text).toBe(
    'The header "authorization" of the author: the value has a character that a header cannot have, such as a line break',
  );
  expect(api.received).toEqual([]);
});

test('a document cannot choose headers of the protocol, or code', () => {
  const schema = {
    type: 'string',
    'x-mcp-header': 'Authorization',
    $schema: 'http://evil.example',
    pattern: '(a+)+$',
  };
  const [tool] = toolsOf('get', '/', { parameters: [{ name: 'a', in: 'query', schema }] });
  expect(tool!.inputJson['properties']).toEqual({ a: { type: 'string', pattern: '(a+)+$' } });
});

test('a pattern that would take long is not run', async () => {
  await using api = await StubApi.start();
  const schema = { type: 'string', pattern: '^(a+)+$' };
  const tools = toolsOf(
    'get',
    '/',
    { parameters: [{ name: 'a', in: 'query', schema }] },
    { baseUrl: api.origin },
  );
  expect((await call(tools, 'it', { a: `${'a'.repeat(100)}!` })).isError).toBeUndefined();
});

test('results of schemas that lead to each other in very many ways take little time', () => {
  const itself = { $ref: '#/components/schemas/A' };
  // Looking at each way to the end would take years.
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    const schema = { [keyword]: [...Array.from({ length: 100 }, () => itself), { type: 'object' }] };
    const response = { description: 'Anything.', content: { 'application/json': { schema: itself } } };
    const document = {
      ...get({ responses: { 200: response } }),
      components: { schemas: { A: schema } },
    };
    const [tool] = openApiTools(document, { baseUrl: 'http://x', select: { ids: ['it'] } });
    expect([keyword, tool?.outputJson?.['type']]).toEqual([
      keyword,
      keyword === 'allOf' ? 'object' : undefined,
    ]);
  }
});
