import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { KeyedQueue } from '@mcp/kit';
import { attemptCost } from './attempt-cost.ts';

const hashBytes = 32;

export interface PassphraseHash {
  readonly salt: string;
  readonly hash: string;
}

/** All attempts of a process, one after the other, so that they take the memory of one. */
const queue = new KeyedQueue();

export async function hashPassphrase(passphrase: string): Promise<PassphraseHash> {
  const salt = randomBytes(16);
  return { salt: salt.toString('base64url'), hash: (await derive(passphrase, salt)).toString('base64url') };
}

/** Whether the passphrase is that of the hash. */
export async function isPassphrase(given: string, { salt, hash }: PassphraseHash): Promise<boolean> {
  const [derived, expected] = [
    await derive(given, Buffer.from(salt, 'base64url')),
    Buffer.from(hash, 'base64url'),
  ];
  return derived.length === expected.length && timingSafeEqual(derived, expected);
}

function derive(passphrase: string, salt: Buffer): Promise<Buffer> {
  // The same text can be typed in several sequences of code points.
  const text = passphrase.normalize('NFKC');
  return queue.run(
    '',
    () =>
      new Promise((resolve, reject) => {
        scrypt(text, salt, hashBytes, attemptCost, (error, key) => (error ? reject(error) : resolve(key)));
      }),
  );
}
