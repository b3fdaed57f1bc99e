import type { Caller } from '@mcp/protocol';

/** The user, by the client that sends a request. */
export interface LoginCaller extends Caller {
  /** The scopes that the user granted to the client. */
  readonly scopes: readonly string[];
  /** When the access token expires, in milliseconds since 1970. */
  readonly expiresAt: number;
  /** The client that the user let in. */
  readonly client: {
    /** The id of its registration, or the URL of its metadata document. */
    readonly id: string;
    /** The name that the client gave itself; a client can give any. */
    readonly name: string;
  };
}
