import { Buffer } from 'node:buffer';
import type { JsonObject } from '../../jsonrpc/message.ts';
import { AuthorizationError } from '../authorization-error.ts';
import type { ClientAuthentication } from '../client/client-authentication.ts';
import type { DpopKey } from '../keys/dpop.ts';
import { type JsonReply, post, type Requests } from '../requests/http-requests.ts';
import { successOf } from '../requests/oauth-reply.ts';
import type { ServerMetadata } from '../discovery/server-metadata.ts';

/**
 * Makes a token request (OAuth 2.1, section 3.2), with a DPoP proof where there is a key, and once more where
 * the authorization server demands a nonce. Returns the JSON of a successful response.
 */
export async function requestToken(
  requests: Requests,
  { issuer, tokenEndpoint }: ServerMetadata,
  { headers, parameters: credentials }: ClientAuthentication,
  parameters: { readonly [name: string]: string | undefined },
  dpopKey?: DpopKey,
): Promise<JsonObject> {
  if (!tokenEndpoint)
    throw new AuthorizationError('token', `The authorization server "${issuer}" has no token endpoint`);
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const body = new URLSearchParams([...given, ...Object.entries(credentials)]).toString();
  const send = async (): Promise<JsonReply> =>
    post(requests, 'token', tokenEndpoint, {
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
        ...(dpopKey && { dpop: await dpopKey.proof('POST', tokenEndpoint) }),
      },
      body,
    });
  let reply = await send();
  const isNewNonce = dpopKey?.keepNonce(tokenEndpoint, reply.headers);
  if (isNewNonce && reply.json?.['error'] === 'use_dpop_nonce') {
    reply = await send();
    dpopKey?.keepNonce(tokenEndpoint, reply.headers);
  }
  return successOf(reply, 'token', tokenEndpoint, secretsOf({ ...parameters, ...credentials }, headers));
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

function secretsOf(
  parameters: { readonly [name: string]: string | undefined },
  { authorization = '' }: { readonly [name: string]: string },
): string[] {
  const basic = authorization.replace(/^Basic /, '');
  const [, secret = ''] = Buffer.from(basic, 'base64').toString().split(':');
  const secrets = secretNames.map((name) => parameters[name] ?? '');
  return [...secrets, basic, secret, decodeURIComponent(secret)];
}
