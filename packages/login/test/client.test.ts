import { expect, test } from 'vitest';
import {
  type AuthorizationCodeGrant,
  loopbackRedirect,
  memoryTokenStore,
  withOAuth,
} from '@mcp/authorization';
import { Client, serverAt } from '@mcp/protocol/client';
import { login } from './browser.ts';
import { startNotes } from './protected-notes.ts';

/** A grant whose user types the passphrase; `pages` gets the URLs of the pages. */
function userGrant(pages: URL[] = [], options: Partial<AuthorizationCodeGrant> = {}): AuthorizationCodeGrant {
  const redirect = loopbackRedirect({
    open: async (url) => {
      pages.push(url);
      await (await fetch(await login(url))).text();
    },
  });
  return { type: 'authorization_code', clientName: 'Editor', ...redirect, ...options };
}

const text = (text: string) => [{ type: 'text', text }];

test.each(['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'])(
  'a client of %s logs in at the first 401 and calls a tool as the user',
  async (revision) => {
    await using notes = await startNotes();
    const pages: URL[] = [];
    const authorize = withOAuth({ grant: userGrant(pages) });
    await using client = await Client.connect(serverAt(notes.url, { authorize }), { revision });
    expect((await client.callTool('who')).content).toEqual(
      text('user by Editor with notes:read notes:write'),
    );
    expect(pages).toHaveLength(1);
    expect(notes.events).toEqual([
      'Registered the client "Editor"',
      expect.stringMatching(/^Access granted to "Editor" at 127\.0\.0\.1:\d+$/),
    ]);
  },
);

test('after a restart, a client goes on with its token, and refreshes it', async () => {
  await using notes = await startNotes();
  const store = memoryTokenStore();
  const pages: URL[] = [];
  const options = { grant: userGrant(pages), store };
  {
    await using client = await Client.connect(serverAt(notes.url, { authorize: withOAuth(options) }));
    await client.callTool('who');
  }
  await notes.restart();
  await using client = await Client.connect(serverAt(notes.url, { authorize: withOAuth(options) }));
  expect((await client.callTool('write')).content).toEqual(text('Written'));
  expect(pages).toHaveLength(1);
});

test('another passphrase ends all access', async () => {
  await using notes = await startNotes();
  const pages: URL[] = [];
  const store = memoryTokenStore();
  const authorize = withOAuth({ grant: userGrant(pages), store });
  await using client = await Client.connect(serverAt(notes.url, { authorize }));
  await client.callTool('who');
  await notes.restart({ passphrase: 'another horse battery' });
  await expect(client.callTool('who')).rejects.toThrow('The passphrase is wrong');
  expect(pages).toHaveLength(2);
});

test('a client with fewer scopes gets 403 for a tool that needs more, and asks the user for them', async () => {
  await using notes = await startNotes({}, { requiredScopes: ['notes:read'] });
  const pages: URL[] = [];
  const authorize = withOAuth({ grant: userGrant(pages) });
  await using client = await Client.connect(serverAt(notes.url, { authorize }));
  expect((await client.callTool('who')).content).toEqual(text('user by Editor with notes:read'));
  expect((await client.callTool('write')).content).toEqual(text('Written'));
  expect(
    pages.map((page) =>
      page.searchParams
        .get('scope')
        ?.split(' ')
        .filter((each) => each !== 'offline_access'),
    ),
  ).toEqual([['notes:read'], expect.arrayContaining(['notes:read', 'notes:write'])]);
});
