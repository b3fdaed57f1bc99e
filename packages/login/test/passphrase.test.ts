import { afterEach, expect, test, vi } from 'vitest';
import { openPage, submit } from './browser.ts';
import { OAuthClient } from './oauth-client.ts';
import { startNotes } from './protected-notes.ts';

afterEach(() => void vi.useRealTimers());

test('a wrong passphrase shows the page again, and the right one goes on', async () => {
  await using notes = await startNotes();
  const client = await OAuthClient.register(notes.origin);
  const again = await submit(await openPage(client.page()), { password: 'wrong horse battery' });
  expect(again.response.status).toBe(403);
  expect(again.html).toContain('<p class="problem" role="alert">The passphrase is wrong</p>');
  expect(again.html).not.toContain('wrong horse');
  expect(notes.events.at(-1)).toBe('Wrong passphrase from 127.0.0.1');
  expect((await submit(again)).response.status).toBe(303);
});

test('of many attempts at once, 10 are checked, and the right passphrase is refused for a while', async () => {
  await using notes = await startNotes();
  const client = await OAuthClient.register(notes.origin);
  const { access_token: token } = await client.tokens();
  const page = await openPage(client.page());
  // The clock stands still.
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(now);
  const attempts = await Promise.all(
    Array.from({ length: 40 }, (_, index) => submit(page, { password: `wrong ${index}` })),
  );
  const statuses = attempts.map(({ response }) => response.status);
  expect(statuses.filter((status) => status === 403)).toHaveLength(10);
  expect(statuses.filter((status) => status === 429)).toHaveLength(30);
  const refused = await submit(page);
  expect(refused.response.status).toBe(429);
  expect(Number(refused.response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(refused.html).toContain('Too many wrong passphrases; try again in');
  // Clients that are in go on.
  expect(await client.use(token)).toBe(200);
  vi.setSystemTime(now + 60_000);
  expect((await submit(page)).response.status).toBe(303);
});

test('the right passphrase counts against no limit', async () => {
  await using notes = await startNotes();
  const client = await OAuthClient.register(notes.origin);
  const page = await openPage(client.page());
  for (let times = 0; times < 12; times++) expect((await submit(page)).response.status).toBe(303);
});

test.each([
  [{ passphrase: 'eleven char' }, 'Invalid passphrase: it has 11 characters; expected 12 to 1024'],
  [{ file: 'relative.json' }, 'Invalid file: "relative.json"; expected an absolute path'],
  [{ principal: '' }, 'Invalid principal'],
  [{ scopes: ['two words'] }, 'Invalid scope: "two words"'],
  [
    { url: 'http://notes.example/mcp' },
    'Invalid url: "http://notes.example/mcp"; expected https://host/path',
  ],
  [{ url: 'https://user@notes.example/mcp' }, 'Invalid url'],
  [{ url: 'https://notes.example/mcp?x' }, 'Invalid url'],
  [{ url: 'notes.example' }, 'Invalid url'],
])('the options %j are refused', async (options, message) => {
  await expect(startNotes(options)).rejects.toThrow(message);
});
