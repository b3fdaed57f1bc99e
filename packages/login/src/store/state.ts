import { isObject } from '@mcp/kit';

// What the file holds. Times are in milliseconds since 1970. No token is in it, only hashes.

/** A client that registered itself: RFC 7591. */
export interface RegisteredClient {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly createdAt: number;
  /** When the user last let the client in; undefined if he never did. */
  approvedAt?: number;
}

/** A secret that expires. */
export interface HashedSecret {
  readonly hash: string;
  readonly expiresAt: number;
}

/** An authorization code, with what its redemption must match. */
export interface Code extends HashedSecret {
  readonly redirectUri: string;
  readonly challenge: string;
}

/** Access of one client, with all tokens that come from one consent of the user. */
export interface Grant {
  readonly id: string;
  readonly client: { readonly id: string; readonly name: string };
  readonly scopes: readonly string[];
  readonly createdAt: number;
  /** When a token was last issued. */
  usedAt: number;
  /** The code of the grant, until it has been redeemed. */
  code?: Code;
  /** The hash of the code, after it has been redeemed, to recognize that it is used again. */
  redeemed?: string;
  /** The refresh token that is valid now. */
  refresh?: string;
  /** The refresh token before, and when it was used. */
  previous?: { readonly hash: string; readonly usedAt: number };
  readonly access: HashedSecret[];
}

/** The content of the file. */
export interface State {
  readonly version: 1;
  /** The URL of the server that the tokens are for: servers with other URLs do not use this file. */
  readonly url: string;
  /** The key by which a refresh token leads to its successor. */
  readonly key: string;
  /** The salt and the hash of the passphrase. */
  passphrase?: { readonly salt: string; readonly hash: string };
  clients: RegisteredClient[];
  grants: Grant[];
}

/** The state in the text of a file; undefined if the text has another form. */
export function parseState(text: string): State | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isState(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isText = (value: unknown) => typeof value === 'string';
const isTime = (value: unknown) => typeof value === 'number';

/** Whether a value is an object, and each of its members that is named is as it must be. */
function has(value: unknown, members: { readonly [name: string]: (member: unknown) => boolean }): boolean {
  return isObject(value) && Object.entries(members).every(([name, is]) => is(value[name]));
}

function listOf(is: (item: unknown) => boolean) {
  return (value: unknown) => Array.isArray(value) && value.every(is);
}

function optional(is: (member: unknown) => boolean) {
  return (value: unknown) => value === undefined || is(value);
}

const isSecret = (value: unknown) => has(value, { hash: isText, expiresAt: isTime });

const isClient = (value: unknown) =>
  has(value, {
    id: isText,
    name: isText,
    redirectUris: listOf(isText),
    createdAt: isTime,
    approvedAt: optional(isTime),
  });

const isGrant = (value: unknown) =>
  has(value, {
    id: isText,
    client: (client) => has(client, { id: isText, name: isText }),
    scopes: listOf(isText),
    createdAt: isTime,
    usedAt: isTime,
    code: optional((code) => isSecret(code) && has(code, { redirectUri: isText, challenge: isText })),
    redeemed: optional(isText),
    refresh: optional(isText),
    previous: optional((previous) => has(previous, { hash: isText, usedAt: isTime })),
    access: listOf(isSecret),
  });

function isState(value: unknown): value is State {
  return has(value, {
    version: (version) => version === 1,
    url: isText,
    key: isText,
    passphrase: optional((passphrase) => has(passphrase, { salt: isText, hash: isText })),
    clients: listOf(isClient),
    grants: listOf(isGrant),
  });
}
