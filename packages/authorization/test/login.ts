import {
  type AuthorizationCodeGrant,
  type AuthorizationOptions,
  loopbackRedirect,
  withOAuth,
} from '@mcp/authorization';

/** A grant whose user agrees immediately, in a browser that is a request which follows redirects. */
export function userLogin(options: Partial<AuthorizationCodeGrant> = {}): AuthorizationCodeGrant {
  const browser = loopbackRedirect({
    open: async (url) => {
      await (await fetch(url)).text();
    },
  });
  return { type: 'authorization_code', ...browser, ...options };
}

export type Call = (url: string, init?: RequestInit) => Promise<Response>;

/** Makes requests with authorization, as an HTTP channel does; POST where nothing else is said. */
export function authorized(options: Partial<AuthorizationOptions> = {}, next = globalThis.fetch): Call {
  const layer = withOAuth({ grant: userLogin(), ...options })((request) => next(request));
  return (url, init) => layer(new Request(url, { method: 'POST', body: '{"x":1}', ...init }));
}

/** The message of the error that a promise rejects with. */
export async function messageOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'resolved',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}
