import { Buffer } from 'node:buffer';
import { allowInsecureRequests, customFetch, genericTokenEndpointRequest } from 'oauth4webapi';
import { AuthorizationError } from '../authorization-error.ts';
import type { ServerMetadata } from '../discovery/server-metadata.ts';
import type { OAuthClient } from '../grant.ts';
import { type JsonReply, post, type Requests } from '../requests/http-requests.ts';
import type { JsonObject } from '../requests/json-fields.ts';
import { successOf } from '../requests/oauth-reply.ts';
import { clientAuthentication } from './client-authentication.ts';
import type { DpopKey } from './dpop-key.ts';

/**
 * The parameters of a token request, except those that authenticate the client. Parameters that are undefined
 * are not sent.
 */
export interface TokenParameters {
  readonly grant_type: string;
  readonly [name: string]: string | undefined;
}

/**
 * Makes a token request (OAuth 2.1, section 3.2). If there is a DPoP key, adds a proof, and repeats the
 * request if the authorization server demands a nonce. Returns the JSON of a successful response. Without a
 * client, the request has only the given parameters.
 */
export async function requestToken(
  requests: Requests,
  metadata: ServerMetadata,
  client: OAuthClient | undefined,
  { grant_type: grantType, ...parameters }: TokenParameters,
  dpopKey?: DpopKey,
): Promise<JsonObject> {
  const { issuer, token_endpoint: endpoint } = metadata;
  if (endpoint === undefined)
    throw new AuthorizationError('token', `The authorization server "${issuer}" has no token endpoint`);
  const url = new URL(endpoint);
  const authentication = client ? await clientAuthentication(client, metadata) : () => {};
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  let secrets: readonly string[] = [];
  const send = async (): Promise<JsonReply> => {
    let reply!: JsonReply;
    // oauth4webapi requires a client id here, but does not send it: only `authentication` adds one to the
    // request.
    const identified = { client_id: client?.id ?? 'none' };
    await genericTokenEndpointRequest(metadata, identified, authentication, grantType, given, {
      ...(dpopKey && { DPoP: dpopKey.handle }),
      // oauth4webapi must not check that the URL uses HTTPS: that was done before, with the exceptions for
      // loopback and trusted origins.
      [allowInsecureRequests]: true,
      async [customFetch](_, { headers, body }) {
        secrets = secretsIn(body, headers['authorization']);
        reply = await post(requests, 'token', url, { headers, body: body.toString() });
        return reply.response;
      },
    });
    return reply;
  };
  let reply = await send();
  if (dpopKey && reply.json?.['error'] === 'use_dpop_nonce') reply = await send();
  return successOf(reply, 'token', url, secrets);
}

const secretNames = [
  'code',
  'code_verifier',
  'refresh_token',
  'assertion',
  'subject_token',
  'client_secret',
  'client_assertion',
];

function secretsIn(body: URLSearchParams, authorization = ''): string[] {
  const basic = authorization.replace(/^Basic /, '');
  const [, secret = ''] = Buffer.from(basic, 'base64').toString().split(':');
  return [...secretNames.map((name) => body.get(name) ?? ''), basic, secret, decodeURIComponent(secret)];
}
