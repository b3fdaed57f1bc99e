import { AuthorizationError } from '../authorization-error.ts';
import { shownText } from '../requests/oauth-reply.ts';
import type { ServerMetadata } from '../discovery/server-metadata.ts';

/**
 * The authorization code of the URL that the user was redirected to. Throws when the response is not the one
 * to this request or not from this authorization server; what such a response says appears in no error.
 * @see https://modelcontextprotocol.io/specification/draft/basic/authorization#authorization-response-validation
 */
export function readAuthorizationResponse(
  callback: string | URL,
  state: string,
  { issuer, sendsIssuer }: ServerMetadata,
): string {
  const refuse = (reason: string, code?: string): never => {
    throw new AuthorizationError('login', reason, { code });
  };
  if (!URL.canParse(String(callback)))
    return refuse('Invalid authorization response; expected the URL of the redirect');
  const { searchParams } = new URL(callback);
  const single = (name: string): string | undefined => {
    const [first, ...others] = searchParams.getAll(name);
    if (others.length > 0) refuse(`Invalid authorization response; "${name}" occurs more than once`);
    return first;
  };
  const [code, iss, error] = [single('code'), single('iss'), single('error')];
  if (single('state') !== state)
    refuse('Invalid authorization response; its state is not that of the request');
  if (iss === undefined && sendsIssuer) refuse('Invalid authorization response; it does not name its issuer');
  if (iss !== undefined && iss !== issuer)
    refuse('Invalid authorization response; it is from another issuer');
  if (error !== undefined) {
    const description = single('error_description');
    const reason = description === undefined ? error : `${error}: ${description}`;
    return refuse(`The authorization server "${issuer}" refuses: ${shownText(reason)}`, shownText(error));
  }
  return code ?? refuse('Invalid authorization response; it has no code');
}
