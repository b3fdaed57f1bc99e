import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AuthorizationError, type AuthorizationOptions, withOAuth } from '@mcp/authorization';
import { Client, type ClientOptions, serverAt, SseChannel } from '@mcp/protocol/client';
import { AuthorizationServer } from './authorization-server.ts';
import { type Greeter, startGreeter } from './greeter.ts';
import { userLogin } from './login.ts';

function connect(
  { url }: Greeter,
  client: ClientOptions = {},
  options: Partial<AuthorizationOptions> = {},
): Promise<Client> {
  return Client.connect(serverAt(url, { authorize: withOAuth({ grant: userLogin(), ...options }) }), client);
}

/** A user who takes some time for the login, in milliseconds. */
const slowUser = (ms: number) =>
  userLogin({
    redirectUri: 'http://127.0.0.1:1/callback',
    async redirect(url) {
      await delay(ms);
      return (await fetch(url, { redirect: 'manual' })).headers.get('location') ?? '';
    },
  });

test.each(['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'])(
  'a client of %s logs in and calls a tool',
  async (revision) => {
    await using issuer = await AuthorizationServer.start();
    await using greeter = await startGreeter(issuer);
    await using client = await connect(greeter, { revision });
    expect((await client.callTool('greet')).content).toEqual([{ type: 'text', text: 'Hello' }]);
    greeter.revokeAll();
    expect((await client.callTool('greet')).content).toEqual([{ type: 'text', text: 'Hello' }]);
    expect(issuer.logins).toHaveLength(1);
  },
);

test('the time that a user takes to log in counts against no timeout', async () => {
  await using issuer = await AuthorizationServer.start();
  await using greeter = await startGreeter(issuer);
  const options = { probeTimeoutMs: 300, timeoutMs: 300 };
  await using client = await connect(greeter, options, { grant: slowUser(900) });
  // The probe has not been taken for that of an older server.
  expect(client.revision).toBe('2026-07-28');
  expect(issuer.logins).toHaveLength(1);
});

test('the hard maximum of a request includes the time of a login', async () => {
  await using issuer = await AuthorizationServer.start();
  await using greeter = await startGreeter(issuer);
  const forever = userLogin({ redirectUri: 'http://127.0.0.1:1/', redirect: () => new Promise(() => {}) });
  const options = { revision: '2026-07-28', maxTimeoutMs: 300 };
  await expect(connect(greeter, options, { grant: forever })).rejects.toThrow(
    'No response to server/discover within 300 ms',
  );
});

test('a login that fails is an error of the client that names the server, the phase and the cause', async () => {
  await using issuer = await AuthorizationServer.start();
  await using greeter = await startGreeter(issuer);
  issuer.responseParameters = { error: 'access_denied', code: undefined };
  const error: unknown = await connect(greeter).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'ClientError', server: greeter.url, phase: 'authorization' });
  const reason = `The authorization server "${issuer.issuer}" refuses the login: access_denied`;
  expect((error as Error).message).toBe(`${greeter.url}: not authorized: ${reason}`);
  expect((error as Error).cause).toBeInstanceOf(AuthorizationError);
  expect((error as Error).cause).toMatchObject({ step: 'login', code: 'access_denied' });
  expect(issuer.logins).toHaveLength(1);
});

test('a login that fails over HTTP+SSE is an error of the phase authorization, too', async () => {
  await using issuer = await AuthorizationServer.start();
  await using greeter = await startGreeter(issuer);
  issuer.responseParameters = { error: 'access_denied', code: undefined };
  const channel = new SseChannel(greeter.url, { authorize: withOAuth({ grant: userLogin() }) });
  const error: unknown = await Client.connect(channel).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ phase: 'authorization' });
  expect(String(error)).toContain('access_denied');
});

test('a subscription of 2026-07-28 is lost with the login, and sends the user to it once', async () => {
  await using issuer = await AuthorizationServer.start();
  await using greeter = await startGreeter(issuer);
  const backoff = { minMs: 10, maxMs: 20 };
  await using client = await connect(greeter, { revision: '2026-07-28', backoff });
  const { promise: lost, resolve } = Promise.withResolvers<Error>();
  await client.subscribe('mood:///now', () => undefined, { onLost: resolve });
  issuer.responseParameters = { error: 'access_denied', code: undefined };
  issuer.forgetRefreshTokens();
  greeter.revokeAll();
  greeter.disconnect();
  expect((await lost).message).toContain('access_denied');
  expect(issuer.logins).toHaveLength(2);
});

test('a subscription of 2025-11-25 continues after the login that a later call begins', async () => {
  await using issuer = await AuthorizationServer.start();
  await using greeter = await startGreeter(issuer);
  const declined = Promise.withResolvers<void>();
  const changed = Promise.withResolvers<void>();
  const { redirect, ...rest } = userLogin();
  const grant = {
    ...rest,
    async redirect(url: URL, signal: AbortSignal) {
      const callback = await redirect(url, signal);
      if (issuer.logins.length === 2) declined.resolve();
      return callback;
    },
  };
  await using client = await connect(greeter, { revision: '2025-11-25' }, { grant });
  await client.subscribe('mood:///now', changed.resolve);
  issuer.responseParameters = { error: 'access_denied', code: undefined };
  issuer.forgetRefreshTokens();
  greeter.revokeAll();
  greeter.disconnect();
  await declined.promise;
  issuer.responseParameters = {};
  await client.callTool('greet');
  expect(issuer.logins).toHaveLength(3);
  const timer = setInterval(() => greeter.change(), 20);
  await changed.promise;
  clearInterval(timer);
});

test('a subscription continues when the authorization server is back', async () => {
  await using issuer = await AuthorizationServer.start();
  await using greeter = await startGreeter(issuer);
  const backoff = { minMs: 10, maxMs: 20 };
  await using client = await connect(greeter, { revision: '2026-07-28', backoff });
  const { promise: again, resolve } = Promise.withResolvers<void>();
  await client.subscribe('mood:///now', resolve);
  const token = issuer.http.routes['/token'];
  let failures = 3;
  issuer.http.routes['/token'] = (request) => (failures-- > 0 ? { status: 503 } : (token?.(request) ?? {}));
  greeter.revokeAll();
  greeter.disconnect();
  await again;
  expect(failures).toBeLessThan(0);
  expect(issuer.logins).toHaveLength(1);
});

test('requests with an accepted token are made by node:http, until the token is refused', async () => {
  await using issuer = await AuthorizationServer.start();
  await using greeter = await startGreeter(issuer);
  await using client = await connect(greeter);
  const fetch = vi.spyOn(globalThis, 'fetch');
  onTestFinished(() => fetch.mockRestore());
  const posts = () => fetch.mock.calls.filter(([request]) => (request as Request).url === greeter.url).length;
  await client.callTool('greet');
  expect(posts()).toBe(0);
  greeter.revokeAll();
  const answers = await Promise.all([1, 2, 3].map(() => client.callTool('greet')));
  expect(answers.map(({ content }) => content[0])).toEqual(Array(3).fill({ type: 'text', text: 'Hello' }));
  // The three that were refused have been sent once more, with the token of one renewal.
  expect(posts()).toBe(3);
  expect(issuer.logins).toHaveLength(1);
  await client.callTool('greet');
  expect(posts()).toBe(3);
});
