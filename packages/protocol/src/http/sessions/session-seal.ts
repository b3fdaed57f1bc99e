import { Buffer } from 'node:buffer';
import type { Server } from '../../define/server.ts';
import { invalidParams, RpcError } from '../../jsonrpc/error.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import { revisionNamed } from '../../revisions/table.ts';
import { Sealer, type StateKeys } from '../../server/call/sealer.ts';
import type { Handshake } from '../../server/connection/handshake.ts';

/** The maximum length of an id, which travels in a header: nginx takes 8 KB in one, Node 16 KB in all. */
const maxLength = 1_500;
/** Clocks of machines differ: an id may come from a clock that is ahead by this many milliseconds. */
const maxAheadMs = 60_000;
const keyBytes = 16;

/** What an id says of its session. */
export interface SealedSession {
  /** Random bytes in base64url, which name the session where its id would be a secret. */
  readonly key: string;
  readonly issuedAt: number;
  readonly handshake: Handshake;
}

/** The members of a sealed id, after its key. */
type Members = readonly [issuedAt: number, revision: string, capabilities: JsonObject, info: JsonObject];

/**
 * Session ids that contain what `initialize` decided, encrypted and authenticated: each process with the key
 * can open them. An id opens only for its principal, and at servers with the same name.
 */
export class SessionSeal {
  readonly #sealer: Sealer;
  readonly #server: string;
  readonly #lifetimeMs: number;

  private constructor(server: string, stateKeys: StateKeys, lifetimeMs: number) {
    this.#sealer = new Sealer('session id', stateKeys);
    this.#server = server;
    this.#lifetimeMs = lifetimeMs;
  }

  /** The seal of a server. Throws an `Error` if the sessions of the server cannot be sealed. */
  static of(
    { name, stateKey, contextFor }: Server['definition'],
    lifetimeMs: number,
    isShared: boolean,
  ): SessionSeal {
    if (!stateKey)
      throw new Error(
        'Sealed sessions need `stateKey` in `defineServer`: 32 bytes, the same in each process',
      );
    if (contextFor && !isShared)
      throw new Error(
        '`sealedSessions` is not for a server with `contextFor`: one process alone knows the roots of a client',
      );
    return new SessionSeal(name, stateKey, lifetimeMs);
  }

  /** The id of a new session. Throws an `RpcError` if what the client declares is too long for an id. */
  async seal({ key, issuedAt, handshake }: SealedSession, principal: string | undefined): Promise<string> {
    const { revision, capabilities, info } = handshake;
    const members: Members = [issuedAt, revision.version, capabilities, info];
    const bytes = Buffer.concat([Buffer.from(key, 'base64url'), Buffer.from(JSON.stringify(members))]);
    const id = await this.#sealer.seal(bytes, this.#contextOf(principal));
    if (id.length <= maxLength) return id;
    throw new RpcError(
      invalidParams,
      `"capabilities" and "clientInfo" are too long: they make a session id of ${id.length} characters; expected at most ${maxLength}`,
    );
  }

  /**
   * What an id says; undefined if it has expired, or was not made for this principal with one of the keys.
   */
  async open(id: string, principal: string | undefined): Promise<SealedSession | undefined> {
    if (id.length > maxLength) return undefined;
    const bytes = await this.#sealer.open(id, this.#contextOf(principal));
    if (!bytes) return undefined;
    const [issuedAt, version, capabilities, info] = JSON.parse(bytes.toString('utf8', keyBytes)) as Members;
    const revision = revisionNamed(version);
    if (!revision) return undefined;
    const key = bytes.toString('base64url', 0, keyBytes);
    const sealed = { key, issuedAt, handshake: { revision, capabilities, info } };
    return issuedAt > Date.now() + maxAheadMs || this.isExpired(sealed) ? undefined : sealed;
  }

  isExpired(sealed: SealedSession): boolean {
    return Date.now() >= this.expiryOf(sealed);
  }

  /** When an id expires, in milliseconds since 1970. */
  expiryOf({ issuedAt }: SealedSession): number {
    return issuedAt + this.#lifetimeMs;
  }

  #contextOf(principal: string | undefined): string {
    return JSON.stringify([this.#server, principal ?? null]);
  }
}

/** A new session with this handshake. The icons of a client are left out, because they may be long. */
export function sealedSession(handshake: Handshake): SealedSession {
  const { icons: _icons, ...info } = handshake.info;
  const key = Buffer.from(crypto.getRandomValues(new Uint8Array(keyBytes))).toString('base64url');
  return { key, issuedAt: Date.now(), handshake: { ...handshake, info } };
}
