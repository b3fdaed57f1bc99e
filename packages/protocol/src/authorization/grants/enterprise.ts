import { AuthorizationError } from '../authorization-error.ts';
import { authenticateClient } from '../client/client-authentication.ts';
import type { EnterpriseGrant, TokenPurpose } from '../grant.ts';
import { stringIn } from '../requests/json-fields.ts';
import { findServerMetadata } from '../discovery/server-metadata.ts';
import { requestToken } from '../tokens/token-request.ts';
import type { IssuedTokens } from '../tokens/tokens.ts';
import { exchangeAssertion } from './jwt-bearer.ts';

const tokenType = 'urn:ietf:params:oauth:token-type:';

/**
 * Exchanges the user's identity assertion at the identity provider for an authorization grant (ID-JAG),
 * and that at the authorization server for an access token.
 * @see https://github.com/modelcontextprotocol/ext-auth enterprise-managed-authorization
 */
export async function requestEnterpriseToken(
  purpose: TokenPurpose,
  { client, identityProvider }: EnterpriseGrant,
): Promise<IssuedTokens> {
  const { requests, discovery, scopes } = purpose;
  const { issuer, subjectToken, subjectTokenType = `${tokenType}id_token` } = identityProvider;
  // The identity provider is configured, not named by the network.
  const rules = { server: new URL(issuer), trustedOrigins: requests.rules.trustedOrigins };
  const metadata = await findServerMetadata({ ...requests, rules }, issuer);
  if (!metadata)
    throw new AuthorizationError('discovery', `The identity provider "${issuer}" has no metadata`);
  const parameters = {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    requested_token_type: `${tokenType}id-jag`,
    audience: discovery.metadata.issuer,
    resource: discovery.resource,
    scope: scopes?.join(' '),
    subject_token: typeof subjectToken === 'string' ? subjectToken : await subjectToken(),
    subject_token_type: subjectTokenType,
  };
  const credentials = await authenticateClient(identityProvider.client, metadata);
  const json = await requestToken({ ...requests, rules }, metadata, credentials, parameters);
  const assertion = stringIn(json, 'access_token');
  if (assertion === undefined || json['issued_token_type'] !== `${tokenType}id-jag`)
    throw new AuthorizationError(
      'token',
      `The identity provider "${issuer}" returned no authorization grant`,
    );
  return exchangeAssertion(purpose, client, assertion);
}
