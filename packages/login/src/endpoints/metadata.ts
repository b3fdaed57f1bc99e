import type { Route } from '@mcp/protocol/http';
import { type LoginContext, paths } from './login-context.ts';

/** The metadata of the authorization server: RFC 8414. */
export function metadataRoute({ issuer, scopes }: LoginContext): Route {
  const body = JSON.stringify({
    issuer,
    authorization_endpoint: issuer + paths.authorize,
    token_endpoint: issuer + paths.token,
    registration_endpoint: issuer + paths.register,
    revocation_endpoint: issuer + paths.revoke,
    scopes_supported: [...scopes, 'offline_access'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  });
  return ({ method }) =>
    method === 'GET' || method === 'HEAD'
      ? { status: 200, headers: { 'content-type': 'application/json' }, body }
      : { status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } };
}
