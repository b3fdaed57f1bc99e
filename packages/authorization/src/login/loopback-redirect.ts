import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AuthorizationCodeGrant } from '../grant.ts';

export interface LoopbackRedirectOptions {
  /** Shows the user a URL, in a browser. The URL is untrusted: it must not pass through a shell. */
  readonly open: (url: URL) => unknown;
  /** The port to listen on; defaults to a free one. */
  readonly port?: number;
  /** The host of the redirect URI; defaults to `127.0.0.1`. */
  readonly host?: '127.0.0.1' | '[::1]' | 'localhost';
}

/** The fields of an `authorization_code` grant that concern the redirect. */
export type LoopbackRedirect = Pick<AuthorizationCodeGrant, 'redirectUri' | 'redirect'>;

interface Listener {
  readonly server: Server;
  /** The redirect URI. */
  uri: string;
  /** The `state` of the login, and the function to call with the URL of the redirect that has this state. */
  expected?: { readonly state: string | null; readonly resolve: (url: string) => void };
}

const pageWith = (text: string) => `<!doctype html><meta charset="utf-8"><title>Login</title>
<p>${text}You can close this window and return to the application.</p>`;
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'",
  'referrer-policy': 'no-referrer',
  connection: 'close',
};
const path = '/callback';

/**
 * Receives the redirect of a login on a loopback address: RFC 8252, section 7.3. Listens only while a login
 * is in progress, and accepts only the request with the `state` of that login.
 */
export function loopbackRedirect({
  open,
  port = 0,
  host = '127.0.0.1',
}: LoopbackRedirectOptions): LoopbackRedirect {
  const listeners = new Map<string, Listener>();
  return {
    async redirectUri(signal) {
      signal.throwIfAborted();
      const listener = await listen(host, port);
      const { uri } = listener;
      listeners.set(uri, listener);
      const end = () => {
        listeners.delete(uri);
        listener.server.close();
        listener.server.closeAllConnections();
      };
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) end();
      signal.throwIfAborted();
      return uri;
    },
    async redirect(url, signal) {
      const uri = url.searchParams.get('redirect_uri') ?? '';
      const listener = listeners.get(uri);
      if (!listener)
        throw new Error(
          `No login in progress has the redirect URI "${uri}"; take "redirectUri" and "redirect" from one loopbackRedirect`,
        );
      const callback = new Promise<string>((resolve, reject) => {
        listener.expected = { state: url.searchParams.get('state'), resolve };
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
      callback.catch(() => undefined);
      await open(url);
      return callback;
    },
  };
}

async function listen(host: string, port: number): Promise<Listener> {
  const { createServer } = await import('node:http');
  const server = createServer((request, response) => {
    // Any page in a browser can send a request to this address, so its target and its Host may be invalid.
    const target = `${new URL(listener.uri).origin}${request.url}`;
    const url = URL.canParse(target) ? new URL(target) : undefined;
    const { expected } = listener;
    const isExpected = url?.pathname === path && url.searchParams.get('state') === expected?.state;
    if (request.method !== 'GET' || !isExpected) {
      response.writeHead(404, { connection: 'close' }).end();
      return;
    }
    const page = pageWith(url.searchParams.has('code') ? '' : 'The login was refused. ');
    response.writeHead(200, pageHeaders).end(page, () => expected.resolve(url.href));
  });
  const listener: Listener = { server, uri: '' };
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host.replace(/^\[|\]$/g, ''), resolve);
  });
  const { port: used } = server.address() as AddressInfo;
  listener.uri = `http://${host}:${used}${path}`;
  return listener;
}
