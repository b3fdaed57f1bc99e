import { Buffer } from 'node:buffer';
import type { webcrypto } from 'node:crypto';

/** The keys that are derived from one secret. */
interface Keys {
  readonly cipher: webcrypto.CryptoKey;
  /** Makes the nonces. */
  readonly mac: webcrypto.CryptoKey;
}

/** The keys of `stateKey`: the first one seals, and each of them opens. */
export type StateKeys = Uint8Array | readonly Uint8Array[];

/**
 * Encrypts and authenticates bytes that a client keeps, with AES-256-GCM. Bytes that were sealed for another
 * purpose, in another context, or with another secret do not open.
 */
export class Sealer {
  readonly #purpose: string;
  readonly #secrets: readonly Uint8Array[] | undefined;
  #keys: Promise<readonly Keys[]> | undefined;

  /**
   * Without `stateKeys`, a random secret is generated at the first use. Throws an `Error` for a key that does
   * not have 32 bytes.
   */
  constructor(purpose: string, stateKeys: StateKeys | undefined) {
    this.#purpose = purpose;
    this.#secrets = stateKeys && secretsOf(stateKeys);
  }

  /** Letters, digits, `-` and `_` that only `open` with the same context makes bytes again. */
  async seal(bytes: Uint8Array, context: string): Promise<string> {
    const [keys] = await this.#derive();
    const { cipher, mac } = keys!;
    // A nonce depends on everything that is sealed, and not only on random values: two copies of one virtual
    // machine may generate the same random values, and a nonce must not be used for different bytes.
    const random = crypto.getRandomValues(new Uint8Array(16));
    const all = Buffer.concat([random, Buffer.from(`${context}\0`), bytes]);
    const iv = new Uint8Array(await crypto.subtle.sign('HMAC', mac, all), 0, ivBytes);
    const sealed = await crypto.subtle.encrypt(parameters(iv, context), cipher, new Uint8Array(bytes));
    return Buffer.concat([iv, new Uint8Array(sealed)]).toString('base64url');
  }

  /**
   * The bytes; undefined for a text that was not sealed for this purpose and context with one of the keys.
   */
  async open(sealed: string, context: string): Promise<Buffer | undefined> {
    const bytes = Buffer.from(sealed, 'base64url');
    // The decoder accepts other spellings of the same bytes.
    if (bytes.toString('base64url') !== sealed) return undefined;
    const algorithm = parameters(new Uint8Array(bytes.subarray(0, ivBytes)), context);
    const body = new Uint8Array(bytes.subarray(ivBytes));
    for (const { cipher } of await this.#derive()) {
      const opened = await crypto.subtle.decrypt(algorithm, cipher, body).catch(() => undefined);
      if (opened) return Buffer.from(opened);
    }
    return undefined;
  }

  #derive(): Promise<readonly Keys[]> {
    return (this.#keys ??= Promise.all(
      (this.#secrets ?? [crypto.getRandomValues(new Uint8Array(32))]).map((secret) => this.#keysOf(secret)),
    ));
  }

  async #keysOf(secret: Uint8Array): Promise<Keys> {
    const { subtle } = crypto;
    const base = await subtle.importKey('raw', new Uint8Array(secret), 'HKDF', false, ['deriveBits']);
    const info = new Uint8Array(Buffer.from(`mcp ${this.#purpose}`));
    const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info };
    const bits = await subtle.deriveBits(derivation, base, 512);
    const [first, second] = [bits.slice(0, 32), bits.slice(32)];
    const [cipher, mac] = await Promise.all([
      subtle.importKey('raw', first, 'AES-GCM', false, ['encrypt', 'decrypt']),
      subtle.importKey('raw', second, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']),
    ]);
    return { cipher, mac };
  }
}

const ivBytes = 12;

function parameters(iv: Uint8Array<ArrayBuffer>, context: string) {
  return { name: 'AES-GCM', iv, additionalData: new Uint8Array(Buffer.from(context)) };
}

function secretsOf(stateKeys: StateKeys): readonly Uint8Array[] {
  const secrets = stateKeys instanceof Uint8Array ? [stateKeys] : stateKeys;
  if (secrets.length === 0) throw new Error('Invalid stateKey: an empty list; expected a key of 32 bytes');
  for (const { length } of secrets)
    if (length !== 32) throw new Error(`Invalid stateKey: ${length} bytes; expected 32`);
  return secrets;
}
