import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openPage, submit } from './browser.ts';
import { OAuthClient } from './oauth-client.ts';
import { loginAt } from './login-at.ts';
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

test('a file belongs to the server at one URL: another one does not start with it', async () => {
  await using one = await startNotes();
  const { file } = one;
  await expect(startNotes({ file })).rejects.toThrow(
    new RegExp(
      `The file "${file}" belongs to the server at "${one.url}"; use another file for "http://127.0.0.1:\\d+/mcp", or delete this one: its clients must then log in again`,
    ),
  );
});

test('a server whose file was replaced by that of another one refuses all, and admits its own file again', async () => {
  await using one = await startNotes();
  const client = await OAuthClient.register(one.origin);
  const code = await client.code();
  const { access_token: token, refresh_token: refresh } = await client.tokens();
  const text = readFileSync(one.file, 'utf8');
  rmSync(one.file);
  await using other = await startNotes({ file: one.file });
  const foreign = await (await OAuthClient.register(other.origin)).tokens();
  for (const each of [token, foreign.access_token]) expect(await client.use(each)).toBe(503);
  for (const { status } of [await client.redeem(code), await client.refresh(refresh)])
    expect(status).toBe(503);
  expect((await client.post('/revoke', { token, client_id: client.id })).status).toBe(503);
  expect((await fetch(client.page())).status).toBe(503);
  expect(readFileSync(one.file, 'utf8')).toContain(other.url);
  writeFileSync(one.file, text);
  expect(await client.use(token)).toBe(200);
});

test('a process that has another passphrase than the file lets no client in', async () => {
  await using replica = await startNotes({}, { origin: 'https://notes.example' });
  const { file } = replica;
  await using other = await startNotes({ file }, { origin: 'https://notes.example' });
  const client = await OAuthClient.register(replica.origin);
  const page = await openPage(new URL(client.page().search, `${replica.origin}/authorize`));
  await other.restart({ passphrase: 'a new passphrase' });
  const headers = { origin: 'https://notes.example' };
  for (const { response, html } of [
    await submit(page, { headers }),
    await openPage(new URL(client.page().search, `${replica.origin}/authorize`)),
  ]) {
    expect(response.status).toBe(503);
    expect(html).toContain('another process has since started with another passphrase');
  }
  expect(replica.events.at(-1)).toBe(
    `No client can log in: another process has since started with another passphrase and the file "${file}"; start this one again with the same passphrase`,
  );
  await replica.restart({ passphrase: 'a new passphrase' });
  const { response } = await submit(page, { headers, password: 'a new passphrase' });
  expect(response.status).toBe(303);
});

test('processes that start at once with one passphrase and a new file agree on it', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'mcp-login-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const options = [{ file: join(directory, 'login.json') }, { origin: 'https://notes.example' }] as const;
  const [one, other] = await Promise.all([startNotes(...options), startNotes(...options)]);
  await using stack = new AsyncDisposableStack();
  for (const each of [one, other]) {
    stack.use(each);
    const client = await OAuthClient.register(each.origin);
    const code = await loginAt(client, each.origin);
    expect((await client.redeem(code ?? '')).status).toBe(200);
  }
});

test('a damaged file is an error that says what to do, and 503 while the server runs', async () => {
  await using notes = await startNotes();
  const client = await OAuthClient.register(notes.origin);
  const { access_token: token } = await client.tokens();
  const text = readFileSync(notes.file, 'utf8');
  const [grant] = (JSON.parse(text) as { readonly grants: readonly object[] }).grants;
  const changed = (change: object) => JSON.stringify({ ...(JSON.parse(text) as object), ...change });
  for (const damaged of [
    '{',
    '[]',
    '{"version":2}',
    '',
    changed({ passphrase: 'x' }),
    changed({ passphrase: { salt: 'x' } }),
    changed({ grants: [{ ...grant, access: [{ hash: 5 }] }] }),
    changed({ grants: [{ ...grant, usedAt: null }] }),
    changed({ grants: [{ ...grant, client: {} }] }),
    changed({ grants: [{ ...grant, code: {} }] }),
    changed({ clients: [{ id: 'c', name: 'n', redirectUris: [5], createdAt: 1 }] }),
    changed({ clients: [{ id: 'c', name: 'n', redirectUris: [] }] }),
  ]) {
    writeFileSync(notes.file, damaged);
    expect(await client.use(token)).toBe(503);
    expect((await fetch(client.page())).status).toBe(503);
    await expect(startNotes({ file: notes.file })).rejects.toThrow(
      `The file "${notes.file}" is damaged; delete it to start without it: all clients must then log in again`,
    );
  }
  // Anyone can open the page, and does not fill the log of the operator.
  expect(notes.events.filter((each) => each.includes('is damaged'))).toHaveLength(1);
  writeFileSync(notes.file, text);
  expect(await client.use(token)).toBe(200);
  rmSync(notes.file);
  expect(await client.use(token)).toBe(401);
});

test('a file that cannot be locked is an error at the start', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'mcp-login-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  // The name of its lock is longer than file systems permit.
  const file = join(directory, 'x'.repeat(220));
  await expect(startNotes({ file })).rejects.toThrow('ENAMETOOLONG');
});

test.skipIf(process.getuid?.() === 0)('a file that cannot be written is an error at the start', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'mcp-login-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  chmodSync(directory, 0o500);
  await expect(startNotes({ file: join(directory, 'login.json') })).rejects.toThrow('EACCES');
});
