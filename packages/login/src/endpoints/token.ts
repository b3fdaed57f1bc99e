import { quoted } from '@mcp/kit';
import type { Route } from '@mcp/protocol/http';
import { MetadataDocuments } from '../clients/metadata-documents.ts';
import { findClient } from '../clients/registered-clients.ts';
import {
  accessSeconds,
  type IssuedTokens,
  namesGrant,
  redeemCode,
  type Refusal,
  refreshTokens,
  removeExpired,
} from '../grants/grants.ts';
import type { State } from '../store/state.ts';
import type { LoginContext } from './login-context.ts';
import { jsonReply, OAuthError, postRoute } from './oauth-error.ts';
import { checkResource, formOf, needed, type Parameters } from './parameters.ts';

/** Exchanges codes and refresh tokens for tokens: RFC 6749, sections 4.1.3 and 6. */
export function tokenRoute({ file, resource, event }: LoginContext): Route {
  return postRoute(async (request) => {
    const form = await formOf(request);
    const clientId = needed(form, 'client_id');
    checkResource(form, resource);
    const { token, exchange } = exchangeOf(form, clientId);
    const now = Date.now();
    const known = await file.read();
    const result: IssuedTokens | Refusal = namesGrant(known, token)
      ? await file.change((state) => {
          removeExpired(state, now);
          return exchange(state, now);
        })
      : { refused: 'The code or token is unknown, or has expired or been revoked' };
    if (!('refused' in result)) return tokensReply(result);
    if (result.misused)
      event(`${result.refused}: the access of ${quoted(result.misused.client.name, 100)} was revoked`);
    // This error tells a client that its registration is gone, so that it registers again.
    if (!MetadataDocuments.has(clientId) && !findClient(known, clientId, now))
      throw new OAuthError('invalid_client', 'The client_id is unknown', 401);
    throw new OAuthError('invalid_grant', result.refused);
  });
}

/** The code or token of a request, and what exchanges it. */
function exchangeOf(form: Parameters, clientId: string) {
  const type = needed(form, 'grant_type');
  if (type === 'refresh_token') {
    const token = needed(form, 'refresh_token');
    return { token, exchange: (state: State, now: number) => refreshTokens(state, { token, clientId }, now) };
  }
  if (type !== 'authorization_code')
    throw new OAuthError(
      'unsupported_grant_type',
      `Invalid grant_type: ${quoted(type, 50)}; expected authorization_code or refresh_token`,
    );
  const code = needed(form, 'code');
  const redemption = {
    code,
    clientId,
    redirectUri: needed(form, 'redirect_uri'),
    verifier: needed(form, 'code_verifier'),
  };
  return { token: code, exchange: (state: State, now: number) => redeemCode(state, redemption, now) };
}

function tokensReply({ access, refresh, grant }: IssuedTokens) {
  return jsonReply(200, {
    access_token: access,
    token_type: 'Bearer',
    expires_in: accessSeconds,
    refresh_token: refresh,
    scope: grant.scopes.join(' '),
  });
}
