import { oneLine, quoted } from '@mcp/kit';
import { parseRedirectUri } from './redirect-uri.ts';

type JsonObject = { readonly [name: string]: unknown };

/** The metadata of a client that cannot be accepted, with the error code of RFC 7591, section 3.2.2. */
export class InvalidClientMetadata extends Error {
  override readonly name = 'InvalidClientMetadata';
  readonly code: 'invalid_redirect_uri' | 'invalid_client_metadata';

  constructor(message: string, code: InvalidClientMetadata['code'] = 'invalid_client_metadata') {
    super(message);
    this.code = code;
  }
}

const maxRedirectUris = 10;
/** Keeps the file small when it is full of clients: about 2 MiB. */
const maxRedirectUriCharacters = 4_096;
const maxNameLength = 100;

/** What a client says of itself, in a registration or in its document. Throws if it cannot log in here. */
export function parseClientMetadata(metadata: JsonObject, otherName: string) {
  const { redirect_uris: uris, client_name: name } = metadata;
  const isList = Array.isArray(uris) && uris.length > 0 && uris.length <= maxRedirectUris;
  if (!isList || !uris.every((uri) => typeof uri === 'string'))
    throw new InvalidClientMetadata(
      `redirect_uris must be a list of 1 to ${maxRedirectUris} URIs`,
      'invalid_redirect_uri',
    );
  const redirectUris: readonly string[] = uris;
  if (redirectUris.join('').length > maxRedirectUriCharacters)
    throw new InvalidClientMetadata(
      `redirect_uris may have at most ${maxRedirectUriCharacters} characters in all`,
      'invalid_redirect_uri',
    );
  const wrong = redirectUris.find((uri) => !parseRedirectUri(uri));
  if (wrong !== undefined)
    throw new InvalidClientMetadata(
      `${quoted(wrong, 100)} cannot be a redirect URI; expected HTTPS, HTTP on the loopback, or scheme:// of an application, without fragment and user`,
      'invalid_redirect_uri',
    );
  refuseUnless(metadata, 'grant_types', 'authorization_code');
  refuseUnless(metadata, 'response_types', 'code');
  const shown = typeof name === 'string' ? oneLine(name, maxNameLength) : '';
  return { name: shown || otherName, redirectUris };
}

function refuseUnless(metadata: JsonObject, name: string, needed: string): void {
  const { [name]: values } = metadata;
  if (values === undefined || (Array.isArray(values) && values.includes(needed))) return;
  throw new InvalidClientMetadata(`${name} must include ${needed}`);
}
