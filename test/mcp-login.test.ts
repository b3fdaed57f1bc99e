import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { defineServer, defineTool } from '@mcp/protocol';
import { httpHandler } from '@mcp/protocol/http';
import { runProgram, TemporaryDirectory } from '@mcp/test-kit';
import { expect, onTestFinished, test } from 'vitest';
import { repository } from './server-program.ts';

const program = join(repository, 'packages/host/dist/main.cjs');

/** A server and its authorization server on one origin, which accepts any user at once. */
async function start() {
  const greet = defineTool({ name: 'greet', description: 'Greets.', run: () => 'Hello' });
  const http = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', origin);
    const json = (value: object) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(value));
    };
    if (pathname === '/.well-known/oauth-authorization-server') {
      return json({
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
      });
    }
    if (pathname === '/register') return response.writeHead(201).end(JSON.stringify({ client_id: 'c' }));
    if (pathname === '/token') {
      return json({ access_token: 'token-1', token_type: 'Bearer', expires_in: 3600, refresh_token: 'r' });
    }
    if (pathname === '/authorize') {
      const redirect = new URL(searchParams.get('redirect_uri')!);
      redirect.searchParams.set('code', 'code');
      redirect.searchParams.set('state', searchParams.get('state')!);
      redirect.searchParams.set('iss', origin);
      return response.writeHead(302, { location: redirect.href }).end();
    }
    handler.node(request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const url = `${origin}/mcp`;
  const handler = httpHandler(defineServer({ name: 'greeter', version: '1.0.0', tools: [greet] }), {
    authorization: {
      verify: (token) =>
        Promise.resolve(token === 'token-1' ? { principal: 'alice', scopes: [] } : undefined),
      metadata: { resource: url, authorizationServers: [origin] },
    },
  });
  onTestFinished(async () => {
    await handler.close();
    http.closeAllConnections();
    http.close();
  });
  return { url };
}

test('mcp login opens the browser once, and later commands use the token until mcp logout', async () => {
  const { url } = await start();
  using home = new TemporaryDirectory('mcp-login');
  const browser = home.put(
    'browser.sh',
    `#!/bin/sh\nexec "${process.execPath}" -e "fetch(process.argv[1])" "$1"\n`,
  );
  chmodSync(browser, 0o755);
  const file = home.put('mcp.json', JSON.stringify({ mcpServers: { greeter: { type: 'http', url } } }));
  const state = join(home.base, 'state');
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home.base,
    XDG_STATE_HOME: state,
    XDG_CACHE_HOME: join(home.base, 'cache'),
    BROWSER: browser,
  };
  const mcp = (...args: string[]) => runProgram(program, ['--config', file, ...args], { env });

  const refused = await mcp('call', 'greeter.greet');
  expect(refused).toMatchObject({ stdout: '', code: 3 });
  expect(refused.stderr).toContain('mcp login greeter');
  expect(await mcp('login', 'greeter')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Logged in at greeter'),
  });
  expect(await mcp('call', 'greeter.greet')).toEqual({ stdout: 'Hello\n', stderr: '', code: 0 });
  const directory = join(state, 'mcp/authorization');
  const stored = () => readdirSync(directory).map((name) => join(directory, name));
  const text = () =>
    stored()
      .map((path) => readFileSync(path, 'utf8'))
      .join('');
  for (const path of stored()) expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(text()).toContain('token-1');

  expect((await mcp('logout', 'greeter')).stderr).toBe('Deleted the tokens of greeter\n');
  expect(text()).not.toContain('token-1');
  expect((await mcp('call', 'greeter.greet')).code).toBe(3);

  await mcp('login', 'greeter');
  for (const path of stored()) writeFileSync(path, 'damaged');
  expect((await mcp('logout', 'greeter')).stderr).toContain('is damaged; it was moved to');
});
