import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { AuthorizationServer } from './authorization-server.ts';
import { startGreeter } from './greeter.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The snippet under a heading of the README. */
function snippet(heading: string): string {
  const [, section = ''] = readFileSync(`${root}README.md`, 'utf8').split(`\n## ${heading}\n`);
  return /```ts\n(.*?)```/s.exec(section)?.[1] ?? '';
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
