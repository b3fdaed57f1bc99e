import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Client, serverAt } from '@mcp/protocol/client';
import { expect, test } from 'vitest';
import { audience, Issuer } from './issuer.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const [first = '', second = ''] = Array.from(
  readFileSync(`${root}README.md`, 'utf8').matchAll(/```ts\n(.*?)```/gs),
  ([, program]) => program,
);

function start(program: string, { issuer }: Issuer) {
  const own = program.replace('https://login.example.com', issuer);
  expect(own).toContain(issuer);
  const args = ['--conditions=@mcp/source', '--input-type=module-typescript', '--eval', own];
  return spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
}

test('the first program of the README greets the owner of a token, and refuses others', async () => {
  await using issuer = await Issuer.start();
  expect(first).toContain(audience);
  const child = start(first, issuer);
  try {
    const { value: url } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
    const connect = (token: string) => {
      const headers = { authorization: `Bearer ${token}` };
      return Client.connect(serverAt(String(url), { headers }));
    };
    await using client = await connect(await issuer.token());
    expect((await client.callTool('hello')).content).toEqual([{ type: 'text', text: 'Hello ada' }]);
    await expect(connect(await issuer.token({ aud: 'https://other.example' }))).rejects.toThrow(
      'A valid token is needed',
    );
  } finally {
    child.kill();
  }
});

test('the second program makes callers of its own type', async () => {
  await using issuer = await Issuer.start();
  const tokens = [await issuer.token({ team: 'blue' }), await issuer.token()];
  const use = { scheme: 'Bearer', method: 'POST' };
  const asked = tokens.map((token) => `await verify('${token}', ${JSON.stringify(use)})`);
  const child = start(`${second}\nconsole.log(JSON.stringify([${asked.join(', ')}]));`, issuer);
  expect(JSON.parse(await text(child.stdout))).toEqual([
    { principal: 'ada', scopes: ['notes:read'], expiresAt: expect.any(Number), team: 'blue' },
    null,
  ]);
});
