import { Buffer } from 'node:buffer';
import type { webcrypto } from 'node:crypto';
import { isObject } from '@mcp/kit';
import { internalError, invalidParams, RpcError } from '../../jsonrpc/error.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';

const lifetimeMs = 10 * 60_000;

/** The request for which a state is encrypted: only the same request of the same principal can decrypt it. */
export interface StateOwner {
  readonly method: string;
  readonly params: JsonObject;
  readonly principal: string | undefined;
}

/**
 * Encrypts and authenticates the state that a handler keeps between two rounds of a request, because the
 * client stores the state between the rounds. A state is valid for ten minutes, and only for its own request.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#server-requirements-basic-workflow
 */
export class RequestStateSeal {
  #key: Promise<webcrypto.CryptoKey> | undefined;
  readonly #secret: Uint8Array | undefined;

  /** `secret` is 32 bytes; without one, a random secret is generated at the first use. */
  constructor(secret: Uint8Array | undefined) {
    if (secret && secret.length !== 32)
      throw new Error(`Invalid stateKey: ${secret.length} bytes; expected 32`);
    this.#secret = secret;
  }

  async seal(state: unknown, owner: StateOwner, now = Date.now()): Promise<string> {
    const text = JSON.stringify({ state, expires: now + lifetimeMs });
    if (text === undefined) throw new RpcError(internalError, 'The state of a request must be a JSON value');
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const sealed = await crypto.subtle.encrypt(
      await this.#cipher(iv, owner),
      await this.#import(),
      encode(text),
    );
    return Buffer.concat([iv, new Uint8Array(sealed)]).toString('base64url');
  }

  /** Decrypts a state. Throws an `RpcError` if it was changed, has expired, or is of another request. */
  async open(sealed: string, owner: StateOwner, now = Date.now()): Promise<unknown> {
    const bytes = Buffer.from(sealed, 'base64url');
    const iv = new Uint8Array(bytes.subarray(0, 12));
    const body = new Uint8Array(bytes.subarray(12));
    const opened = await crypto.subtle
      .decrypt(await this.#cipher(iv, owner), await this.#import(), body)
      .catch(() => refuseState('it was not made by this server for this request'));
    const { state, expires } = JSON.parse(Buffer.from(opened).toString()) as {
      state: unknown;
      expires: number;
    };
    return now > expires ? refuseState('it has expired') : state;
  }

  #import(): Promise<webcrypto.CryptoKey> {
    const secret = () => new Uint8Array(this.#secret ?? crypto.getRandomValues(new Uint8Array(32)));
    return (this.#key ??= crypto.subtle.importKey('raw', secret(), 'AES-GCM', false, ['encrypt', 'decrypt']));
  }

  async #cipher(iv: Uint8Array<ArrayBuffer>, { method, params, principal }: StateOwner) {
    const { _meta, inputResponses: _responses, requestState: _state, ...own } = params;
    return {
      name: 'AES-GCM',
      iv,
      additionalData: encode(JSON.stringify([method, own, principal ?? null], sorted)),
    };
  }
}

/**
 * For `JSON.stringify`: sorts the members of objects. A client may repeat a request with its members in
 * another order, and its text must be the same then, because decryption of the state needs it.
 */
function sorted(_: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text));
}

/** Throws the `RpcError` of a state that is not accepted, for this reason. */
export function refuseState(reason: string): never {
  throw new RpcError(
    invalidParams,
    `"requestState" is refused: ${reason}; send the request again without it`,
  );
}
