import { isObject, quoted } from '@mcp/kit';
import type { Route } from '@mcp/protocol/http';
import { InvalidClientMetadata, parseClientMetadata } from '../clients/client-metadata.ts';
import { addClient, removeForgotten } from '../clients/registered-clients.ts';
import { newId } from '../grants/tokens.ts';
import type { LoginContext } from './login-context.ts';
import { jsonReply, OAuthError, postRoute } from './oauth-error.ts';
import { bodyOf } from './parameters.ts';

const maxBodyBytes = 16 * 1024;

/**
 * Registers clients: RFC 7591. All become public clients, as the reply says, even if they ask for a secret.
 */
export function registerRoute({ file, limits, event }: LoginContext): Route {
  return postRoute(async (request) => {
    const seconds = limits.registrations.take(request.address);
    if (seconds > 0)
      throw new OAuthError('temporarily_unavailable', 'Too many registrations; try again later', 429, {
        'retry-after': String(seconds),
      });
    const metadata = parsed(await bodyOf(request, 'application/json', maxBodyBytes));
    const { name, redirectUris } = checked(metadata);
    const now = Date.now();
    const client = { id: newId(), name, redirectUris, createdAt: now };
    await file.change((state) => {
      removeForgotten(state, now);
      addClient(state, client);
    });
    event(`Registered the client ${quoted(name, 100)}`);
    return jsonReply(201, {
      client_id: client.id,
      client_id_issued_at: Math.floor(now / 1_000),
      client_name: name,
      redirect_uris: redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
  });
}

function parsed(text: string): { readonly [name: string]: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // The error below says what is expected.
  }
  throw new OAuthError('invalid_client_metadata', 'Invalid body; expected a JSON object');
}

function checked(metadata: { readonly [name: string]: unknown }) {
  try {
    return parseClientMetadata(metadata, 'A client without a name');
  } catch (error) {
    if (!(error instanceof InvalidClientMetadata)) throw error;
    throw new OAuthError(error.code, error.message);
  }
}
