import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { defineServer } from '@mcp/protocol';
import { type Authorization, type Route, serveHttp } from '@mcp/protocol/http';
import { webHandler } from '@mcp/protocol/web';

const server = defineServer({ name: 'test', version: '1.0.0' });

const echo: Route = async (asked) => {
  const body = await asked.body(8);
  const { method, path, query, address } = asked;
  const shown = { method, path, query: query.get('q'), agent: asked.header('user-agent'), address };
  return body
    ? { status: 201, headers: { 'x-own': 'yes' }, body: JSON.stringify({ ...shown, bytes: body.length }) }
    : { status: 413, headers: {} };
};

function fail(): never {
  throw new Error('Broken');
}

const authorization: Authorization = {
  verify: () => undefined,
  metadata: { resource: 'https://mcp.example.com/mcp', authorizationServers: ['https://mcp.example.com'] },
  routes: { '/echo': echo, '/fail': fail },
};

const headers = { 'user-agent': 'test' };

test('a listener serves the routes of its authorization without a token', async () => {
  const warnings: string[] = [];
  const listener = await serveHttp(server, { authorization, onWarning: (message) => warnings.push(message) });
  try {
    const send = (path: string, init?: RequestInit) =>
      fetch(new URL(path, listener.url), { headers, ...init });
    const answer = await send('/echo?q=1', { method: 'POST', body: 'four' });
    expect([answer.status, answer.headers.get('x-own')]).toEqual([201, 'yes']);
    expect(await answer.json()).toEqual({
      method: 'POST',
      path: '/echo',
      query: '1',
      agent: 'test',
      address: '127.0.0.1',
      bytes: 4,
    });
    expect((await send('/echo', { method: 'POST', body: 'too many bytes' })).status).toBe(413);
    expect((await send('/fail')).status).toBe(500);
    expect(warnings).toEqual([expect.stringContaining('GET /fail failed: Error: Broken')]);
    expect((await send('/other')).status).toBe(404);
    expect((await send('/mcp', { method: 'POST' })).status).toBe(401);
  } finally {
    await listener.close();
  }
});

test('with routes, requests for the host of the resource are allowed, and those of its pages', async () => {
  const listener = await serveHttp(server, { authorization });
  const { port } = new URL(listener.url);
  const status = (host: string, origin?: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = { host, ...(origin !== undefined && { origin }) };
      const asked = request({ port, path: '/echo', headers: sent }, (response) => {
        void text(response).then(() => resolve(response.statusCode), reject);
      });
      asked.on('error', reject).end();
    });
  try {
    expect(await status('mcp.example.com', 'https://mcp.example.com')).toBe(201);
    expect(await status('localhost:1')).toBe(201);
    expect(await status('mcp.example.com', 'https://evil.example')).toBe(403);
    expect(await status('evil.example')).toBe(403);
  } finally {
    await listener.close();
  }
});

test('a fetch handler serves the same routes', async () => {
  const handler = webHandler(server, { authorization });
  const asked = new Request('https://mcp.example.com/echo?q=2', { method: 'POST', body: 'abc', headers });
  expect(await (await handler.fetch(asked)).json()).toEqual({
    method: 'POST',
    path: '/echo',
    query: '2',
    agent: 'test',
    bytes: 3,
  });
  await handler.close();
});
