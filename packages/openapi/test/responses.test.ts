import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { OpenApiOptions } from '../src/index.ts';
import { call, json, reply, StubApi, toolsOf } from './stub-api.ts';

const pet = {
  type: 'object',
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
};
/** As documents have it; results are checked by `pet`. */
const strictPet = { ...pet, required: ['id'], additionalProperties: false };

function responses(schema: unknown, status = '200') {
  return { responses: { [status]: { description: '', content: { 'application/json': { schema } } } } };
}

async function ask(api: StubApi, operation: object, options: Partial<OpenApiOptions> = {}, method = 'get') {
  return call(
    toolsOf(method, '/a/{id}', { ...withId, ...operation }, { baseUrl: api.origin, ...options }),
    'it',
    {
      id: 'x',
    },
  );
}

const withId = { parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }] };

test('an object that the document describes is structured content, with the digits of the API', async () => {
  await using api = await StubApi.start(
    reply(
      200,
      { 'content-type': 'application/json; charset=utf-8' },
      '{\n "id": 12345678901234567890,\r\n "new": true }',
    ),
  );
  const outcome = await ask(api, responses(strictPet));
  expect(outcome.text).toBe('{\n "id": 12345678901234567890,\r\n "new": true }');
  expect(outcome.structured).toEqual({ id: 12345678901234567000, new: true });
});

test('other results are text', async () => {
  await using api = await StubApi.start(json([1, 2]));
  expect(await ask(api, responses({ type: 'array' }))).toEqual({ text: '[1,2]' });
  api.respond = reply(200, { 'content-type': 'text/markdown' }, '# A');
  expect(await ask(api, {})).toEqual({ text: '# A' });
  api.respond = json({ id: 1 });
  expect(await ask(api, responses(pet), { operations: { it: { structured: false } } })).toEqual({
    text: '{"id":1}',
  });
  api.respond = reply(204, {});
  expect(await ask(api, {}, {}, 'delete')).toEqual({ text: 'the API answered 204 No Content' });
});

test.each([
  [strictPet, pet],
  [{ allOf: [{ $ref: '#/components/schemas/Pet' }] }, { type: 'object', allOf: [{ $ref: '#/$defs/Pet' }] }],
  [{ oneOf: [{ $ref: '#/components/schemas/Pet' }] }, { type: 'object', anyOf: [{ $ref: '#/$defs/Pet' }] }],
  [{ $ref: '#/components/schemas/Pet' }, pet],
  [{ type: ['object', 'null'] }, undefined],
  [{ oneOf: [pet, { type: 'string' }] }, undefined],
])('the schema %j of responses becomes that of results', (schema, wanted) => {
  const rest = { components: { schemas: { Pet: pet } } };
  const [tool] = toolsOf('get', '/', responses(schema), {}, rest);
  if (wanted) {
    const { $defs: _, ...output } = tool!.outputJson!;
    expect(output).toEqual(wanted);
  } else expect(tool!.outputJson).toBeUndefined();
});

test('results are structured only if every success is an object', () => {
  const [both] = toolsOf('get', '/', {
    responses: { ...responses(pet).responses, ...responses({ type: 'object' }, '2XX').responses },
  });
  expect(both!.outputJson).toEqual({ type: 'object', anyOf: [pet, { type: 'object' }] });
  const [none] = toolsOf('get', '/', {
    responses: { ...responses(pet).responses, 204: { description: '' } },
  });
  expect(none!.outputJson).toBeUndefined();
});

test('a result that its document does not describe is an error that the model can read', async () => {
  await using api = await StubApi.start(json({ id: 'Rex' }));
  expect(await ask(api, responses(pet))).toEqual({
    isError: true,
    text: 'GET /a/{id}: the API answered 200 OK, but not what its OpenAPI document says: id must be of type integer\n{"id":"Rex"}',
  });
  api.respond = reply(200, {});
  expect((await ask(api, responses(pet))).text).toMatch(/document says: it is empty$/);
  api.respond = reply(200, { 'content-type': 'application/json' }, '{"id":');
  expect((await ask(api, responses(pet))).text).toContain('it is no JSON');
  api.respond = reply(200, { 'content-type': 'text/html' }, '<h1>');
  expect((await ask(api, responses(pet))).text).toContain('it is "text/html"\n<h1>');
});

test('an error of the API has its status and the beginning of its body', async () => {
  await using api = await StubApi.start(json({ message: 'No such pet' }, 404));
  expect(await ask(api, responses(pet))).toEqual({
    isError: true,
    text: 'GET /a/{id}: the API answered 404 Not Found\n{"message":"No such pet"}',
  });
  api.respond = reply(500, { 'content-type': 'text/plain' }, 'x'.repeat(10_000));
  expect((await ask(api, {}, { limits: { maxErrorLength: 10 } })).text).toMatch(/Error\nx{10}…$/);
});

test('what is not text, too large or too late is refused', async () => {
  await using api = await StubApi.start(reply(200, { 'content-type': 'image/png' }, 'PNG'));
  expect((await ask(api, {})).text).toBe(
    'GET /a/{id}: the API answered 200 OK with "image/png", which is no text',
  );
  api.respond = reply(200, { 'content-type': 'text/plain' }, 'x'.repeat(2_000));
  expect((await ask(api, {}, { limits: { maxResponseBytes: 1_000 } })).text).toBe(
    'GET /a/{id}: the body is longer than 1000 bytes',
  );
  api.respond = (_, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).write('a');
  expect((await ask(api, {}, { limits: { timeoutMs: 50 } })).text).toBe(
    'GET /a/{id}: no answer within 0.05 seconds',
  );
  api.respond = json({});
  expect((await ask(api, {}, { limits: { timeoutMs: Infinity } })).text).toBe('{}');
  api.respond = (_, response) => void response.destroy();
  expect((await ask(api, {})).isError).toBe(true);
});

test('the end of a call ends its request', async () => {
  await using api = await StubApi.start();
  const ended = new Promise<void>((resolve) => {
    api.respond = (_, response) => {
      void once(response, 'close').then(() => resolve());
      controller.abort();
    };
  });
  const controller = new AbortController();
  const tools = toolsOf('get', '/', {}, { baseUrl: api.origin });
  await expect(call(tools, 'it', {}, { signal: controller.signal })).rejects.toThrow();
  await ended;
});

test('redirects are followed within the origin, for GET alone', async () => {
  await using other = await StubApi.start();
  await using api = await StubApi.start(({ target }, response) => {
    const location = target.startsWith('/a/') ? '/b?c=d' : undefined;
    response.writeHead(location === undefined ? 200 : 302, {
      'content-type': 'text/plain',
      location: location ?? '',
    });
    response.end('moved');
  });
  const headers = { authorization: 'Bearer secret-token' };
  expect(await ask(api, {}, { headers })).toEqual({ text: 'moved' });
  expect(api.last).toMatchObject({ target: '/b?c=d', headers });
  expect((await ask(api, {}, {}, 'post')).text).toBe(
    'POST /a/{id}: a redirect (302), which is followed only for GET and HEAD',
  );
  api.respond = reply(307, { location: `${other.origin}/x?token=1` });
  expect((await ask(api, {}, { headers })).text).toBe(
    `GET /a/{id}: a redirect (307) to ${other.origin}, which is not followed`,
  );
  expect(other.received).toEqual([]);
  api.respond = reply(302, { location: '/again' });
  expect((await ask(api, {})).text).toBe('GET /a/{id}: more than 5 redirects');
});

test('an own `fetch` makes the requests', async () => {
  const urls: string[] = [];
  const fetch = async ({ url }: Request) => {
    urls.push(url);
    return Response.json({ id: 1 });
  };
  const tools = toolsOf('get', '/', responses(pet), { baseUrl: 'https://api.example/v1/', fetch });
  expect((await call(tools, 'it')).structured).toEqual({ id: 1 });
  expect(urls).toEqual(['https://api.example/v1/']);
});
