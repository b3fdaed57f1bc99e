import type { FetchLayer } from '@mcp/protocol/client';
import { type Grant, loopbackRedirect, withOAuth } from '@mcp/authorization';
import type { Run } from './run.ts';

/** The authorization of a client, as the scenario needs it. */
export function authorizationFor({ scenario, context }: Run): FetchLayer {
  return withOAuth({ grant: (grants[scenario] ?? login)(context) });
}

type Context = Run['context'];

const text = (context: Context, name: string) => String(context[name]);

const secretClient = (context: Context) => ({
  id: text(context, 'client_id'),
  secret: text(context, 'client_secret'),
});

/**
 * The suite's login page redirects at once, so that a request that follows redirects replaces the browser.
 */
const login = (context: Context): Grant => ({
  type: 'authorization_code',
  ...loopbackRedirect({ open: fetchPage }),
  clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
  clientName: 'conformance',
  ...(context['client_id'] !== undefined && { client: secretClient(context) }),
});

async function fetchPage(url: URL): Promise<void> {
  await (await fetch(url)).text();
}

const grants: { readonly [scenario: string]: (context: Context) => Grant } = {
  'auth/client-credentials-basic': (context) => ({
    type: 'client_credentials',
    client: secretClient(context),
  }),
  'auth/client-credentials-jwt': (context) => ({
    type: 'client_credentials',
    client: {
      id: text(context, 'client_id'),
      privateKey: { key: text(context, 'private_key_pem'), algorithm: 'ES256' },
    },
  }),
  'auth/enterprise-managed-authorization': (context) => ({
    type: 'enterprise',
    client: secretClient(context),
    identityProvider: {
      issuer: text(context, 'idp_issuer'),
      client: { id: text(context, 'idp_client_id') },
      subjectToken: text(context, 'idp_id_token'),
    },
  }),
  'auth/wif-jwt-bearer': (context) => ({
    type: 'jwt_bearer',
    client: { id: text(context, 'client_id') },
    assertion: text(context, 'valid_jwt'),
  }),
};
