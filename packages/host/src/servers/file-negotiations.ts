import { join } from 'node:path';
import { isObject } from '@mcp/kit';
import type { Negotiation, NegotiationCache } from '@mcp/protocol/client';
import { JsonDirectory } from '../json-directory.ts';

const maxEntries = 500;

/** Stores which handshake each server needs, so that later runs need no probe. */
export function fileNegotiations(cacheDirectory: string, warn: (message: string) => void): NegotiationCache {
  return new JsonDirectory<Negotiation>(join(cacheDirectory, 'negotiations'), {
    isValid: isNegotiation,
    warn,
    maxEntries,
  });
}

const openings: readonly unknown[] = [
  'stateless',
  'handshake',
  'fallback',
] satisfies Negotiation['opening'][];

function isNegotiation(value: unknown): value is Negotiation {
  return isObject(value) && typeof value['at'] === 'number' && openings.includes(value['opening']);
}
