import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { defineServer, defineTool } from '@mcp/protocol';
import { httpHandler } from '../../src/http.ts';
import { AuthorizationServer } from './authorization-server.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The snippet under a heading of the README. */
function snippet(heading: string): string {
  const [, section = ''] = readFileSync(`${root}README.md`, 'utf8').split(`\n## ${heading}\n`);
  return /```ts\n(.*?)```/s.exec(section)?.[1] ?? '';
}

/** A server of this package that demands tokens of the issuer. */
async function startGreeter(issuer: AuthorizationServer): Promise<{ url: string } & AsyncDisposable> {
  const http = createServer((request, response) => handler.node(request, response));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  const greet = defineTool({ name: 'greet', description: 'Greets.', run: () => 'Hello' });
  const handler = httpHandler(defineServer({ name: 'greeter', version: '1.0.0', tools: [greet] }), {
    authorization: {
      verify: (token) => issuer.tokens.get(token) && { principal: 'user' },
      metadata: { resource: url, authorizationServers: [issuer.issuer] },
    },
  });
  return {
    url,
    async [Symbol.asyncDispose]() {
      await handler.close();
      http.closeAllConnections();
      http.close();
    },
  };
}

test('the README logs in to a server', async () => {
  await using issuer = await AuthorizationServer.start();
  await using greeter = await startGreeter(issuer);
  const program = snippet('Login').replace('https://mcp.example.com/mcp', greeter.url);
  expect(program).toContain(greeter.url);
  const args = ['--conditions=@mcp/source', '--input-type=module', '--eval', program];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const output = text(child.stdout);
  for await (const line of createInterface({ input: child.stderr })) {
    const url = /^Log in at (.*)$/.exec(line)?.[1];
    if (url !== undefined) await (await fetch(url)).text();
  }
  expect(await output).toContain("name: 'greet'");
  expect(await ended).toBe(0);
});
