import { Client, serverAt, type NegotiationCache } from '@mcp/protocol/client';
import { expect, test, vi } from 'vitest';
import { loopbackRedirect, withOAuth } from '@mcp/authorization';
import { AuthorizationServer } from './authorization-server.ts';
import { startGreeter } from './greeter.ts';
import { authorized, userLogin } from './login.ts';
import { startServers } from './servers.ts';

/** A login whose user leaves the page open, and the redirect URI of each. */
function undecided() {
  const opened: URL[] = [];
  let isOpen: (uri: string) => void = () => {};
  const open = (url: URL) => {
    opened.push(url);
    isOpen(url.searchParams.get('redirect_uri') ?? '');
  };
  const next = () => new Promise<string>((resolve) => (isOpen = resolve));
  return { grant: { type: 'authorization_code', ...loopbackRedirect({ open }) } as const, opened, next };
}

test('a login that the last request does not wait for any more leaves no listener', async () => {
  await using servers = await startServers();
  const { server } = servers;
  const { grant, opened, next } = undecided();
  const call = authorized({ grant });
  const aborts = [new AbortController(), new AbortController()];
  const [opening, calls] = [next(), aborts.map(({ signal }) => call(server.url, { signal }))];
  const uri = await opening;
  aborts[0]?.abort(new Error('Enough'));
  await expect(calls[0]).rejects.toThrow('Enough');
  expect((await fetch(uri)).status).toBe(404);
  aborts[1]?.abort(new Error('Enough'));
  await expect(calls[1]).rejects.toThrow('Enough');
  await expect(fetch(uri)).rejects.toThrow();
  // The next request begins another login.
  const [again, last] = [next(), new AbortController()];
  const third = call(server.url, { signal: last.signal });
  expect(await again).not.toBe(uri);
  expect(opened).toHaveLength(2);
  last.abort(new Error('Enough'));
  await expect(third).rejects.toThrow('Enough');
});

test('a refresh continues after its request was aborted, and the next request uses its token', async () => {
  await using servers = await startServers();
  const { issuer, server } = servers;
  const call = authorized();
  await call(server.url);
  server.revokeAll();
  const { '/token': answer } = issuer.http.routes;
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  issuer.http.routes['/token'] = async (request) => {
    begun.resolve();
    await gate.promise;
    return answer!(request);
  };
  const abort = new AbortController();
  const first = call(server.url, { signal: abort.signal });
  await begun.promise;
  abort.abort(new Error('Enough'));
  await expect(first).rejects.toThrow('Enough');
  const second = call(server.url);
  await vi.waitUntil(() => server.presented.length === 4);
  gate.resolve();
  expect((await second).status).toBe(200);
  expect(issuer.tokenRequests('refresh_token')).toHaveLength(1);
  expect(issuer.logins).toHaveLength(1);
});

test('closing a client ends the login that its call waits for', async () => {
  await using issuer = await AuthorizationServer.start();
  await using greeter = await startGreeter(issuer);
  const { grant, next } = undecided();
  let logins = 0;
  const authorize = withOAuth({
    grant: {
      ...grant,
      redirect: (url, signal) =>
        logins++ === 0 ? fetchThen(url, grant.redirect(url, signal)) : grant.redirect(url, signal),
    },
  });
  const client = await Client.connect(serverAt(greeter.url, { authorize }));
  issuer.forgetRefreshTokens();
  greeter.revokeAll();
  const [opening, call] = [next(), client.callTool('greet')];
  call.catch(() => undefined);
  const uri = await opening;
  await client.close();
  await expect(fetch(uri)).rejects.toThrow();
  await expect(call).rejects.toThrow('The client has closed the connection');
});

async function fetchThen<T>(url: URL, callback: Promise<T>): Promise<T> {
  await (await fetch(url)).text();
  return callback;
}

test('a login that the user declines is not begun again by the same connection', async () => {
  await using issuer = await AuthorizationServer.start();
  await using greeter = await startGreeter(issuer);
  issuer.responseParameters = { error: 'access_denied', code: undefined };
  const negotiations: NegotiationCache = new Map([[greeter.url, { opening: 'handshake', at: Date.now() }]]);
  const server = serverAt(greeter.url, { authorize: withOAuth({ grant: userLogin() }) });
  await expect(Client.connect(server, { negotiations })).rejects.toThrow('access_denied');
  expect(issuer.logins).toHaveLength(1);
  expect(negotiations.get(greeter.url)).toMatchObject({ opening: 'handshake' });
});
