import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { loopbackRedirect, withOAuth } from '@mcp/authorization';
import { Client, serverAt } from '@mcp/protocol/client';
import { HttpServer } from '@mcp/test-kit/http-server';
import { expect, onTestFinished, test } from 'vitest';
import { login } from './browser.ts';
import { passphrase } from './protected-notes.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const [first = '', second = ''] = Array.from(
  readFileSync(`${root}README.md`, 'utf8').matchAll(/```ts\n(.*?)```/gs),
  ([, program]) => program,
);

function start(program: string, ...args: string[]) {
  const home = mkdtempSync(join(tmpdir(), 'mcp-login-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const node = ['--conditions=@mcp/source', '--input-type=module-typescript', '--eval', program, '--'];
  const child = spawn(process.execPath, [...node, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', HOME: home, PASSPHRASE: passphrase },
  });
  onTestFinished(() => void child.kill());
  return child;
}

test('the first program of the README greets a client that the user lets in', async () => {
  const probe = await HttpServer.start();
  await probe[Symbol.asyncDispose]();
  const { port } = new URL(probe.origin);
  const own = first.replace('https://mcp.example.com', probe.origin).replace('8080', port);
  const child = start(own);
  const { value: url } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  const redirect = loopbackRedirect({ open: async (page) => void (await fetch(await login(page))) });
  const grant = { type: 'authorization_code', clientName: 'Editor', ...redirect } as const;
  await using client = await Client.connect(serverAt(String(url), { authorize: withOAuth({ grant }) }));
  expect((await client.callTool('hello')).content).toEqual([{ type: 'text', text: 'Hello from Editor' }]);
});

test('the second program has the options of the table', async () => {
  const help = await text(start(second, 'program', '--help').stdout);
  for (const option of ['--login', '--passphrase-file file', '--public-url url'])
    expect(help).toContain(option);
});
