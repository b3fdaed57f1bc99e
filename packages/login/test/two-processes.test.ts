import { spawn } from 'node:child_process';
import { scryptSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { loginAt } from './login-at.ts';
import { OAuthClient } from './oauth-client.ts';
import { passphrase, startNotes } from './protected-notes.ts';

test('two processes share a file, and lose nothing', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'mcp-login-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'login.json');
  await using own = await startNotes({ file }, { origin: 'https://notes.example' });
  const program = fileURLToPath(new URL('served-notes.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    ['--conditions=@mcp/source', program, file, 'https://notes.example'],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  onTestFinished(() => void child.kill());
  const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  const origins = [own.origin, String(value)];
  const clients = await Promise.all(
    Array.from({ length: 10 }, (_, index) => OAuthClient.register(origins[index % 2] ?? '')),
  );
  const { clients: stored } = JSON.parse(readFileSync(file, 'utf8')) as { clients: { id: string }[] };
  expect(new Set(stored.map(({ id }) => id))).toEqual(new Set(clients.map(({ id }) => id)));
  // A code of one process is redeemed at the other, once.
  const [client] = clients;
  if (!client) throw new Error('No client');
  const code = (await loginAt(client, own.origin)) ?? '';
  const replies = await Promise.all(
    [0, 1, 0, 1].map((index) =>
      new OAuthClient(origins[index] ?? '', client.id).redeem(code, { code_verifier: client.verifier }),
    ),
  );
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  const second = await loginAt(client, own.origin);
  const at = new OAuthClient(String(value), client.id);
  const { access_token: token, refresh_token: first } = await at.redeem(second ?? '', {
    code_verifier: client.verifier,
  });
  expect(await at.use(token)).toBe(200);
  expect(await client.use(token)).toBe(200);
  // A refresh token that comes to both at once has one successor. When it comes later, all access ends.
  const renewed = await Promise.all([client, at, client, at].map((each) => each.refresh(first)));
  expect(renewed.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(new Set(renewed.map((each) => each.refresh_token)).size).toBe(1);
  expect((await client.refresh(renewed[0]?.refresh_token)).status).toBe(200);
  expect((await at.refresh(first)).error).toBe('invalid_grant');
  for (const each of [client, at]) expect(await each.use(token)).toBe(401);
  const third = (await loginAt(client, own.origin)) ?? '';
  const { access_token: last } = await client.redeem(third);
  expect(await at.use(last)).toBe(200);
  expect((await client.post('/revoke', { token: last, client_id: client.id })).status).toBe(200);
  expect(await at.use(last)).toBe(401);
});

test('the hash in the file is that of scrypt with 32 MiB and three passes', async () => {
  await using notes = await startNotes();
  const stored = JSON.parse(readFileSync(notes.file, 'utf8')) as {
    passphrase: { salt: string; hash: string };
  };
  const { salt, hash } = stored.passphrase;
  const cost = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };
  const expected = scryptSync(passphrase, Buffer.from(salt, 'base64url'), 32, cost);
  expect(hash).toBe(expected.toString('base64url'));
});
