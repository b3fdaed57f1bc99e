import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { AuthorizationServer } from './authorization-server.ts';
import { startGreeter } from './greeter.ts';
import { startServers } from './servers.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const [first = '', second = ''] = Array.from(
  readFileSync(`${root}README.md`, 'utf8').matchAll(/```ts\n(.*?)```/gs),
  ([, program]) => program,
);

/** Runs a program of the README, logs in at the address on its stderr, and returns its stdout. */
async function run(program: string): Promise<string> {
  const args = ['--conditions=@mcp/source', '--input-type=module', '--eval', program];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const output = text(child.stdout);
  for await (const line of createInterface({ input: child.stderr })) {
    const url = /^Log in at (.*)$/.exec(line)?.[1];
    if (url !== undefined) await (await fetch(url)).text();
  }
  expect(await ended).toBe(0);
  return output;
}

test('the first program of the README gets a response that needs a token', async () => {
  await using servers = await startServers();
  const { server } = servers;
  const program = first.replace('https://api.example.com/notes', server.url);
  expect(program).toContain(server.url);
  expect(await run(program)).toMatch(/^200 /);
});

test('the second program of the README lists the tools of a server that needs a token', async () => {
  await using issuer = await AuthorizationServer.start();
  await using greeter = await startGreeter(issuer);
  const program = second.replace('https://mcp.example.com/mcp', greeter.url);
  expect(program).toContain(greeter.url);
  expect(await run(program)).toContain("name: 'greet'");
});
