import { type TokenStore, loopbackRedirect, type LoopbackRedirect, withOAuth } from '@mcp/authorization';
import type { FetchLayer } from '@mcp/protocol/client';
import type { HttpTarget } from '../config/entry/server-entry.ts';

export interface LoginOptions {
  readonly store: TokenStore;
  /** Shows the user the login page. If undefined, no login is started, and only stored tokens are used. */
  readonly open: ((url: URL) => unknown) | undefined;
  /** Whether to start a login at the server with this URL. By default, each login is started. */
  readonly confirm?: ((url: string) => Promise<boolean>) | undefined;
  readonly warn: (message: string) => void;
}

/** Authorizes requests by stored tokens. If there are none, starts a login, provided that `open` is given. */
export function authorizeWith(options: LoginOptions): (target: HttpTarget) => FetchLayer {
  const { store, open, confirm = () => Promise.resolve(true), warn } = options;
  return ({ oauth: settings, url }) =>
    withOAuth({
      store,
      onWarning: warn,
      grant: {
        type: 'authorization_code',
        clientName: 'mcp',
        ...(settings?.clientId !== undefined && {
          client: {
            id: settings.clientId,
            ...(settings.clientSecret !== undefined && { secret: settings.clientSecret }),
          },
        }),
        ...(open ? loopback(open, () => confirm(url), settings?.callbackPort) : noLogin),
      },
    });
}

function loopback(
  open: (url: URL) => unknown,
  confirm: () => Promise<boolean>,
  port: number | undefined,
): LoopbackRedirect {
  const { redirectUri, redirect } = loopbackRedirect({ open, ...(port !== undefined && { port }) });
  return {
    async redirectUri(signal) {
      if (!(await confirm())) return refuse();
      return typeof redirectUri === 'string' ? redirectUri : redirectUri(signal);
    },
    redirect,
  };
}

/**
 * The redirect when no login is allowed: rejects before the login begins, so that no client is registered in
 * vain.
 */
const noLogin: LoopbackRedirect = { redirectUri: refuse, redirect: refuse };

function refuse(): Promise<never> {
  return Promise.reject(new Error('the server requires a login'));
}

/** The stored tokens for a server; undefined if there are none. */
export async function savedTokens(store: TokenStore, url: string): Promise<unknown> {
  const { issuer, resource } = (await savedServer(store, url)) ?? {};
  if (issuer === undefined || resource === undefined) return undefined;
  return store.get({ kind: 'tokens', issuer, resource });
}

/** The stored record of a server; undefined before its first login. */
async function savedServer(
  store: TokenStore,
  url: string,
): Promise<{ readonly issuer?: string; readonly resource?: string } | undefined> {
  return (await store.get(serverKey(url))) as Awaited<ReturnType<typeof savedServer>>;
}

function serverKey(url: string) {
  const { origin, pathname } = new URL(url);
  return { kind: 'server', server: `${origin}${pathname}` } as const;
}

/** Deletes the tokens of a server, not the client's registration; returns whether there were any. */
export async function forgetTokens(store: TokenStore, url: string): Promise<boolean> {
  const saved = await savedServer(store, url);
  if (saved === undefined) return false;
  const { issuer, resource } = saved;
  if (issuer !== undefined && resource !== undefined)
    await store.delete({ kind: 'tokens', issuer, resource });
  await store.delete(serverKey(url));
  return true;
}
