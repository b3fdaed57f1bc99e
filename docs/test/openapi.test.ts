import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Caller, Server } from '@mcp/protocol';
import { connect } from '@mcp/protocol/testing';
import { afterAll, expect, test } from 'vitest';
import { json, StubApi } from '../../packages/openapi/test/stub-api.ts';
import { PageCode } from './page-code.ts';

const code = new PageCode();
afterAll(() => code[Symbol.dispose]());

type User = Caller & { readonly apiToken: string };

const parameter = (name: string, required = false) => ({
  name,
  in: 'query',
  required,
  schema: { type: 'string' },
});
const document = {
  openapi: '3.1.0',
  info: { title: 'Books', version: '1' },
  servers: [{ url: 'https://other.example' }],
  paths: {
    '/books': {
      get: { operationId: 'listBooks', parameters: ['q', 'sort', 'fields'].map((name) => parameter(name)) },
      post: {
        operationId: 'addBook',
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: { type: 'object', properties: { title: { type: 'string' } } } },
          },
        },
      },
      delete: { operationId: 'deleteBooks' },
    },
  },
};

test('guides/openapi.md: the chosen operations are tools, with the token of their caller', async () => {
  await using api = await StubApi.start(json([{ title: 'Emma' }]));
  process.env['OPENAPI'] = join(code.directory, 'openapi.json');
  process.env['API_URL'] = `${api.origin}/v1`;
  writeFileSync(process.env['OPENAPI'], JSON.stringify(document));
  try {
    const { server } = await code.load<{ server: Server<User> }>('guides/openapi.md', 'server');
    const user = { principal: 'ada', apiToken: 'token-of-ada', scopes: ['books:write'] };
    await using client = await connect<User>(server, { caller: user });
    const tools = await client.listTools();
    expect(
      tools.map(({ name, inputSchema: { properties } }) => [name, Object.keys(properties ?? {})]),
    ).toEqual([
      ['find_books', ['q']],
      ['add_book', ['title']],
    ]);
    expect((await client.callTool('find_books', { q: 'a&b' })).content).toEqual([
      { type: 'text', text: '[{"title":"Emma"}]' },
    ]);
    expect(api.last.target).toBe('/v1/books?q=a%26b&sort=-year');
    expect(api.last.headers.authorization).toBe('Bearer token-of-ada');
    await client.callTool('add_book', { title: 'Emma' });
    expect(api.last).toMatchObject({ method: 'POST', body: '{"title":"Emma"}' });

    await using reader = await connect<User>(server, { caller: { ...user, scopes: [] } });
    expect((await reader.listTools()).map(({ name }) => name)).toEqual(['find_books']);
  } finally {
    delete process.env['OPENAPI'];
    delete process.env['API_URL'];
  }
});
