import type { MetadataDocuments } from '../clients/metadata-documents.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import type { PassphraseHash } from '../passphrase/passphrase.ts';
import type { StateFile } from '../store/state-file.ts';

/** What the endpoints of one authorization server share. */
export interface LoginContext {
  /** The URL of the MCP server: the audience of all tokens. */
  readonly resource: string;
  readonly issuer: string;
  /** The name of the server for the user. */
  readonly name: string;
  readonly scopes: readonly string[];
  readonly passphrase: PassphraseHash;
  readonly file: StateFile;
  readonly documents: MetadataDocuments;
  /** Attempts at the passphrase, registrations, fetches of documents, reports of problems. */
  readonly limits: { readonly [what in 'attempts' | 'registrations' | 'documents' | 'reports']: RateLimit };
  /** Reports an event to the operator. */
  readonly event: (message: string) => void;
}

/** The paths of the endpoints, below the issuer. */
export const paths = {
  metadata: '/.well-known/oauth-authorization-server',
  authorize: '/authorize',
  token: '/token',
  register: '/register',
  revoke: '/revoke',
} as const;
