import { inspect } from 'node:util';
import { defineServer, RpcError, type Tool, ToolError } from '@mcp/protocol';
import { connect } from '@mcp/protocol/testing';
import { mapErrors } from '@mcp/protocol/wrap';
import { expect, test } from 'vitest';
import type { OpenApiOptions } from '../src/index.ts';
import { call, reply, StubApi, toolsOf } from './stub-api.ts';

const plain = { 'content-type': 'text/plain' };

/** Answers with what `echo` makes of the header `authorization`. */
function echoing(echo: (value: string) => string, status = 401): Promise<StubApi> {
  return StubApi.start(({ headers }, response) => {
    response.writeHead(status, plain).end(echo(headers.authorization ?? ''));
  });
}

async function ask(api: Pick<StubApi, 'origin'>, options: Partial<OpenApiOptions>, operation = {}) {
  return call(toolsOf('get', '/', operation, { baseUrl: api.origin, ...options }), 'it');
}

test('secrets that an API repeats are not in errors', async () => {
  await using api = await StubApi.start(({ target, headers }, response) => {
    response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ target, headers }));
  });
  const secrets = {
    headers: { authorization: 'Bearer tok/en=1234', Cookie: 'sid="s3ss10n"; lang=en' },
    query: { key: 'geheim nis' },
  };
  const { text } = await ask(api, secrets);
  expect(text).toContain('401');
  expect(text).toContain('[hidden]');
  for (const secret of ['tok/en', '1234', 'geheim', 's3ss10n']) expect(text).not.toContain(secret);
});

const token = 'a"b/c+d&e<f=12\\34é';
test.each([
  ['as it is', (value: string) => value],
  ['without its scheme', (value: string) => value.slice(7)],
  ['in upper case', (value: string) => value.toUpperCase()],
  ['in JSON', (value: string) => JSON.stringify(value)],
  ['in JSON in JSON', (value: string) => JSON.stringify(value).replaceAll('/', '\\/')],
  ['in ASCII', (value: string) => JSON.stringify(value).replaceAll('é', '\\u00E9')],
  [
    'in HTML',
    (value: string) => value.replaceAll('&', '&amp;').replaceAll('"', '&#034;').replaceAll('<', '&lt;'),
  ],
  [
    'in HTML, by numbers',
    (value: string) => value.replaceAll(/\W/g, (each) => `&#x${each.charCodeAt(0).toString(16)};`),
  ],
  ['in a URL', (value: string) => encodeURIComponent(value)],
  ['in a URL in a URL', (value: string) => encodeURIComponent(encodeURIComponent(value)).toLowerCase()],
  ['in a form', (value: string) => new URLSearchParams({ value }).toString()],
  ['in base64', (value: string) => Buffer.from(value).toString('base64')],
])('a secret that an API repeats %s is not in the error', async (_, echo) => {
  // Node reads headers as Latin-1.
  await using api = await echoing((value) => `<${echo(value)}>`);
  const { text } = await ask(api, { headers: { authorization: `Bearer ${token}` } });
  expect(text).toMatch(/^GET \/: the API answered 401 Unauthorized\n<"?(?:value=)?\[hidden\].{0,2}"?>$/i);
});

test('the password of `Basic` is not in the error, also decoded', async () => {
  const authorization = `Basic ${btoa('ada:hunter22')}`;
  await using api = await echoing((value) => `${atob(value.slice(6))} hunter22`);
  expect((await ask(api, { headers: { authorization } })).text).toMatch(/\n\[hidden\] \[hidden\]$/);
});

test('a secret is hidden before an error is cut', async () => {
  await using api = await echoing((value) => `${'x'.repeat(40)}${value}`);
  const headers = { authorization: 'Bearer ABCDEFGHIJKLMNOPQRSTUVWXYZ' };
  for (let maxErrorLength = 38; maxErrorLength < 60; maxErrorLength++) {
    const { text } = await ask(api, { headers, limits: { maxErrorLength } });
    expect(text).not.toMatch(/Bearer|AB/);
  }
});

test('a secret in the reason or the type of a response is hidden', async () => {
  await using api = await StubApi.start(({ headers }, response) => {
    response.writeHead(200, `No ${headers.authorization}`, {
      'content-type': `image/${headers['x-key'] as string}`,
    });
    response.end();
  });
  const { text } = await ask(api, { headers: { authorization: 'token-1234', 'x-key': 'key-1234' } });
  expect(text).toBe('GET /: the API answered 200 No [hidden] with "image/[hidden]", which is no text');
});

test('credentials that an API repeats are not in results', async () => {
  const secrets = {
    headers: { authorization: 'Bearer tok/en=1234', 'accept-version': '2026-01' },
    query: { api_key: 'k"1234', view: 'complete' },
  };
  await using api = await StubApi.start(({ target, headers: { authorization } }, response) => {
    const key = new URL(target, 'http://x').searchParams.get('api_key');
    const value = { authorization, key, target, version: '2026-01', view: 'complete' };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  });
  const schema = { type: 'object', properties: { key: { type: 'string' } } };
  const responses = { 200: { description: '', content: { 'application/json': { schema } } } };
  const outcome = await ask(api, secrets, { responses });
  const wanted = {
    authorization: '[hidden]',
    key: '[hidden]',
    target: '/?api_key=[hidden]&view=complete',
    version: '2026-01',
    view: 'complete',
  };
  expect(outcome.structured).toEqual(wanted);
  expect(JSON.parse(outcome.text)).toEqual(wanted);
  expect(JSON.parse((await ask(api, secrets)).text)).toEqual(wanted);
});

test('a fixed value with the name of a credential is hidden', async () => {
  await using api = await StubApi.start(
    ({ target }, response) => void response.writeHead(400, plain).end(target),
  );
  const parameters = ['api_key', 'format'].map((name) => ({ name, in: 'query', schema: { type: 'string' } }));
  const operations = { it: { fixed: { api_key: 'key-1234', format: 'markdown' } } };
  expect((await ask(api, { operations }, { parameters })).text).toMatch(
    /\/\?api_key=\[hidden\]&format=markdown$/,
  );
});

/** The error of a call, with its causes and members, as what logs it may print it. */
async function thrown(options: Partial<OpenApiOptions>): Promise<{ logged: string; text: string }> {
  let logged = '';
  const wrap = mapErrors((error) => {
    logged = inspect(error, { depth: 10, showHidden: true });
    return error;
  });
  const tools: Tool<object>[] = toolsOf('get', '/', {}, options);
  await using client = await connect(defineServer({ name: 'api', version: '1.0.0', tools, wrap: [wrap] }));
  const { content } = await client.callTool('it');
  return { logged, text: content[0]?.type === 'text' ? content[0].text : '' };
}

test('an error of `fetch` is shown without secrets, also its causes', async () => {
  const fetch = async ({ url, headers }: Request): Promise<Response> => {
    const cause = Object.assign(new Error(`${headers.get('authorization')} failed`), { code: 'EFAIL', url });
    throw new TypeError(`cannot fetch ${url}`, { cause });
  };
  const secrets = { headers: { authorization: 'Bearer token-1234' }, query: { key: 'key-1234' } };
  const { logged, text } = await thrown({ fetch, ...secrets });
  expect(text).toBe('GET /: [hidden] failed');
  expect(logged).toContain('cannot fetch http://127.0.0.1:9/?key=[hidden]');
  expect(logged).toContain('EFAIL');
  expect(logged).not.toMatch(/(?:token|key)-1234/);
});

test('without a server, the error of Node is shown without secrets', async () => {
  const api = await StubApi.start();
  await api[Symbol.asyncDispose]();
  const { logged, text } = await thrown({ baseUrl: api.origin, query: { key: 'key-1234' } });
  expect(text).toMatch(/^GET \/: connect ECONNREFUSED 127\.0\.0\.1:\d+$/);
  expect(logged).not.toContain('key-1234');
});

test('an error of a function of the author is shown only if it is meant for the model', async () => {
  const failing = (error: unknown) => ({
    headers: () => {
      throw error;
    },
  });
  const secret = new TypeError('db password=hunter22');
  expect((await thrown(failing(secret))).text).toBe('The function `headers` of the author failed');
  expect((await thrown({ query: () => Promise.reject(secret) })).text).toBe(
    'The function `query` of the author failed',
  );
  expect((await thrown(failing(new ToolError('Log in first')))).text).toBe('Log in first');
  const tools = toolsOf('get', '/', {}, failing(new RpcError(-32_000, 'No more')));
  await expect(call(tools, 'it')).rejects.toThrow('No more');
  const missing = { headers: { authorization: undefined as never } };
  expect((await thrown(missing)).text).toBe(
    'The value of "authorization" in `headers` of the author must be a string',
  );
});

test.each([
  ['http://ada:hunter22@{host}/b', 'a URL with a user'],
  ['http://ada@{host}/b', 'a URL with a user'],
  ['file:///etc/hunter22', 'a URL of file:'],
  ['http://[hunter22', 'no URL'],
])('a redirect to %s is not followed, and its URL is not shown', async (location, shown) => {
  await using api = await StubApi.start();
  api.respond = reply(302, { location: location.replace('{host}', new URL(api.origin).host) });
  const { text } = await ask(api, { headers: { authorization: 'Bearer token-1234' } });
  expect(text).toBe(`GET /: a redirect (302) to ${shown}, which is not followed`);
  expect(api.received).toHaveLength(1);
});

test('long values are hidden, and common headers are not secrets', async () => {
  const long = 'x1/+'.repeat(2_000);
  await using api = await echoing((value) => `${value} application/json`);
  const headers = { authorization: `Bearer ${long}`, Accept: 'application/json' };
  expect((await ask(api, { headers })).text).toMatch(/\n\[hidden\] application\/json$/);
});
