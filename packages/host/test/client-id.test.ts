import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { HttpServer } from '@mcp/test-kit/http-server';
import { expect, test } from 'vitest';
import { program, Workspace } from './workspace.ts';

test('mcp login --client-id logs in as a client that is registered already', async () => {
  using workspace = new Workspace();
  await using server = await HttpServer.start();
  const { origin } = server;
  Object.assign(server.routes, {
    '/mcp': () => ({
      status: 401,
      headers: {
        'www-authenticate': `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource"`,
      },
    }),
    '/.well-known/oauth-protected-resource': () => ({
      json: { resource: `${origin}/mcp`, authorization_servers: [origin] },
    }),
    '/.well-known/oauth-authorization-server': () => ({
      json: {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
      },
    }),
  });
  const words = ['login', `${origin}/mcp`, '--client-id', 'mine', '--no-browser'];
  const child = spawn(process.execPath, [program, ...words], { env: workspace.env, stdio: 'pipe' });
  const ended = once(child, 'exit');
  let shown = '';
  for await (const chunk of child.stderr.setEncoding('utf8')) {
    shown += chunk as string;
    const [, address] = /Log in at (\S+)\n/.exec(shown) ?? [];
    if (address === undefined) continue;
    const { searchParams } = new URL(address);
    expect(searchParams.get('client_id')).toBe('mine');
    const back = new URL(searchParams.get('redirect_uri') ?? '');
    back.search = String(
      new URLSearchParams({ error: 'access_denied', state: searchParams.get('state') ?? '' }),
    );
    shown = '';
    await fetch(back);
  }
  expect((await ended)[0]).toBe(3);
  expect(server.at('/register')).toEqual([]);
});
