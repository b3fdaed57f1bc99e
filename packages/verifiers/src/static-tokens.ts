import { createHash, timingSafeEqual } from 'node:crypto';
import { quoted } from '@mcp/kit';
import type { Caller } from '@mcp/protocol';
import type { Verify } from '@mcp/protocol/web';
import { hasText } from './tokens/caller-of.ts';

/** A token that does not change, and its owner. */
export interface StaticToken<Who extends Caller = Caller> {
  /** The token, or `sha256`, its hash in hexadecimal digits, which a file may hold. */
  readonly token?: string | undefined;
  readonly sha256?: string;
  /** The owner, whom handlers get as `call.caller`. */
  readonly caller: Who;
}

/**
 * Verifies tokens of a fixed list, each with an owner of its own. Only their hashes are kept. Throws for an
 * entry without a token, such as one of an environment variable that is not set.
 * @example
 * ```ts
 * import { staticTokens } from '@mcp/verifiers';
 *
 * const verify = staticTokens([
 *   { token: process.env['ADA_TOKEN'] ?? 'example', caller: { principal: 'ada', scopes: ['notes:write'] } },
 * ]);
 * ```
 */
export function staticTokens<Who extends Caller>(tokens: readonly StaticToken<Who>[]): Verify<Who> {
  const entries = tokens.map((each) => ({ hash: hashOf(each), caller: each.caller }));
  if (new Set(entries.map(({ hash }) => hash.toString('hex'))).size < entries.length)
    throw new Error('Invalid tokens: two entries have the same token; expected one owner for each');
  return (given) => {
    const hash = sha256(given);
    // Every entry is compared, all in the same time, which reveals nothing about the tokens.
    return entries.filter((each) => timingSafeEqual(each.hash, hash))[0]?.caller;
  };
}

function hashOf({ token, sha256: hash, caller }: StaticToken): Buffer {
  if (!hasText(caller.principal))
    throw new Error('Invalid principal of a token: it is empty; expected the name of its owner');
  const whose = `of ${quoted(caller.principal)}`;
  if (hash !== undefined && token === undefined) {
    if (/^[\da-f]{64}$/i.test(hash)) return Buffer.from(hash, 'hex');
    throw new Error(`Invalid sha256 ${whose}; expected 64 hexadecimal digits`);
  }
  if (hash === undefined && token === undefined)
    throw new Error(`Missing token ${whose}: it is undefined; is its environment variable set?`);
  // The syntax of RFC 6750, section 2.1: no client could send a token with other characters.
  if (hash !== undefined || token === undefined || !/^[\w.~+/-]+=*$/.test(token))
    throw new Error(`Invalid token ${whose}; expected letters, digits and - . _ ~ + / =, or else sha256`);
  return sha256(token);
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
