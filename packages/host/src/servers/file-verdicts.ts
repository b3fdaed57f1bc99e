import { join } from 'node:path';
import type { Verdict, Verdicts } from '@mcp/protocol/client';
import { JsonDirectory } from '../json-directory.ts';

const maxEntries = 500;

/** Keeps how each server opens for the next run. What cannot be written is probed again. */
export function fileVerdicts(cacheDirectory: string, warn: (message: string) => void): Verdicts {
  return new JsonDirectory<Verdict>(join(cacheDirectory, 'verdicts'), {
    isValid: isVerdict,
    warn,
    maxEntries,
  });
}

const openings: readonly unknown[] = ['stateless', 'handshake', 'fallback'] satisfies Verdict['opening'][];

function isVerdict(value: unknown): value is Verdict {
  if (typeof value !== 'object' || value === null) return false;
  return (
    'at' in value && typeof value.at === 'number' && 'opening' in value && openings.includes(value.opening)
  );
}
