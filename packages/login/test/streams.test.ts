import { rmSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { loopbackRedirect, withOAuth } from '@mcp/authorization';
import { Client, serverAt } from '@mcp/protocol/client';
import { passphraseLogin } from '@mcp/login';
import { afterEach, expect, test, vi } from 'vitest';
import { login } from './browser.ts';
import { OAuthClient, type TokenReply } from './oauth-client.ts';
import { type Notes, startNotes } from './protected-notes.ts';

// Streams that are open when the access of their client ends.

afterEach(() => void vi.useRealTimers());

/** Opens a stream of changes. */
async function listen({ url }: Notes, { access_token: token }: TokenReply): Promise<Response> {
  const revision = '2026-07-28';
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const method = 'subscriptions/listen';
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      'mcp-method': method,
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: { notifications: { resourceSubscriptions: ['note:///1'] }, _meta },
    }),
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  return response;
}

test.each<[string, (client: OAuthClient, tokens: TokenReply, notes: Notes) => unknown]>([
  ['revokes its access token', (client, { access_token: token }) => revoke(client, token)],
  ['revokes its refresh token', (client, { refresh_token: token }) => revoke(client, token)],
  ['redeems its code again', (client, _, notes) => client.redeem(codes.get(notes) ?? '')],
])('the stream of a client ends that %s; another client listens on', async (_, end) => {
  await using notes = await startNotes();
  const [client, other] = [
    await OAuthClient.register(notes.origin),
    await OAuthClient.register(notes.origin),
  ];
  codes.set(notes, await client.code());
  const tokens = await client.redeem(codes.get(notes) ?? '');
  const stream = await listen(notes, tokens);
  const open = await listen(notes, await other.tokens());
  await end(client, tokens, notes);
  notes.changeNote();
  expect(await text(stream.body!)).toContain('notifications/subscriptions/acknowledged');
  const reader = open.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (let seen = ''; !seen.includes('notifications/resources/updated');) {
    const { value, done } = await reader.read();
    expect(done).toBe(false);
    seen += value;
  }
  await reader.cancel();
});

const codes = new WeakMap<Notes, string>();

async function revoke(client: OAuthClient, token = ''): Promise<void> {
  expect((await client.post('/revoke', { token, client_id: client.id })).status).toBe(200);
}

test.each<[string, (notes: Notes) => unknown]>([
  [
    'another process starts with another passphrase',
    ({ file, url }) => passphraseLogin({ file, url, passphrase: 'another horse battery' }),
  ],
  ['the file is deleted', ({ file }) => rmSync(file)],
])('all streams end when %s', async (_, end) => {
  await using notes = await startNotes();
  const client = await OAuthClient.register(notes.origin);
  const streams = [await listen(notes, await client.tokens()), await listen(notes, await client.tokens())];
  await end(notes);
  for (const stream of streams) await text(stream.body!);
});

test.each([
  ['2025-11-25', 'GET /mcp'],
  ['2026-07-28', 'POST subscriptions/listen'],
])('a client of %s whose token expires listens on with the next one', async (revision, listening) => {
  await using notes = await startNotes();
  const pages: URL[] = [];
  const redirect = loopbackRedirect({
    open: async (url) => {
      pages.push(url);
      await (await fetch(await login(url))).text();
    },
  });
  const grant = { type: 'authorization_code', clientName: 'Editor', ...redirect } as const;
  const authorize = withOAuth({ grant });
  await using client = await Client.connect(serverAt(notes.url, { authorize }), { revision });
  let changes = 0;
  await client.subscribe('note:///1', () => changes++);
  const streams = () => notes.requests.filter((each) => each === listening).length;
  expect(streams()).toBe(1);
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(Date.now() + 3_600_000);
  await expect.poll(streams, { timeout: 10_000 }).toBe(2);
  const before = changes;
  // The new stream may not be open yet, and one change is reported for the time without a stream.
  const more = () => (notes.changeNote(), changes - before);
  await expect.poll(more, { timeout: 10_000 }).toBeGreaterThan(2);
  expect(pages).toHaveLength(1);
});
