import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openPage, submit } from './browser.ts';
import { OAuthClient } from './oauth-client.ts';
import { startNotes } from './protected-notes.ts';

test('a server that restarts in the middle of a login goes on: page, code, tokens', async () => {
  await using notes = await startNotes();
  const client = await OAuthClient.register(notes.origin);
  const page = await openPage(client.page());
  await notes.restart();
  const { response } = await submit(page);
  const code = new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? '';
  await notes.restart();
  const { access_token: access, refresh_token: refresh } = await client.redeem(code);
  await notes.restart();
  expect(await client.use(access)).toBe(200);
  expect((await client.refresh(refresh)).status).toBe(200);
  await notes.restart();
  expect((await client.redeem(code)).error).toBe('invalid_grant');
});

test('tokens of one server are refused by another one, even with the same file', async () => {
  await using one = await startNotes();
  await using other = await startNotes({ file: one.file });
  const client = await OAuthClient.register(one.origin);
  const { access_token: token } = await client.tokens();
  expect(await client.use(token)).toBe(200);
  expect(await new OAuthClient(other.origin, client.id).use(token)).toBe(401);
});

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
  const { access_token: token } = await at.redeem(second ?? '', { code_verifier: client.verifier });
  expect(await at.use(token)).toBe(200);
  expect(await client.use(token)).toBe(200);
  expect((await client.post('/revoke', { token, client_id: client.id })).status).toBe(200);
  expect(await at.use(token)).toBe(401);
});

/** The browser knows the public origin of the server. */
async function loginAt(client: OAuthClient, origin: string): Promise<string | null> {
  const page = await openPage(new URL(client.page().search, `${origin}/authorize`));
  const { response, html } = await submit(page, { headers: { origin: 'https://notes.example' } });
  return new URL(response.headers.get('location') ?? html).searchParams.get('code');
}

test('a damaged file is an error that says what to do, and 503 while the server runs', async () => {
  await using notes = await startNotes();
  const client = await OAuthClient.register(notes.origin);
  const { access_token: token } = await client.tokens();
  const text = readFileSync(notes.file, 'utf8');
  for (const damaged of ['{', '[]', '{"version":2}', '']) {
    writeFileSync(notes.file, damaged);
    expect(await client.use(token)).toBe(503);
    expect((await fetch(client.page())).status).toBe(503);
    await expect(startNotes({ file: notes.file })).rejects.toThrow(
      `The file "${notes.file}" is damaged; delete it to start without it: all clients must then log in again`,
    );
  }
  writeFileSync(notes.file, text);
  expect(await client.use(token)).toBe(200);
  rmSync(notes.file);
  expect(await client.use(token)).toBe(401);
});

test.skipIf(process.getuid?.() === 0)('a file that cannot be written is an error at the start', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'mcp-login-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  chmodSync(directory, 0o500);
  await expect(startNotes({ file: join(directory, 'login.json') })).rejects.toThrow('EACCES');
});
