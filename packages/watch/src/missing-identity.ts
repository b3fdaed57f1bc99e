import { lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { identityOf, settled, type Identity, type Seen } from './identity.ts';

/**
 * As {@link identityOf}, and tells one absence from the next by what the directory was. A file that came and went
 * between two looks may have been read meanwhile by somebody who heard of an earlier change, and who has to hear that
 * it is gone. Other files that come and go beside it then count as changes, too.
 */
export const identityOrAbsenceOf: Identity = async (path) => {
  const identity = await identityOf(path);
  return identity === 'missing' ? settled(() => absence(path)) : identity;
};

async function absence(path: string): Promise<Seen> {
  const parent = dirname(path);
  try {
    const { dev, ino, ctimeNs } = await lstat(parent, { bigint: true });
    return { identity: `missing from ${dev}:${ino} ${ctimeNs}`, changedMs: Number(ctimeNs / 1_000_000n) };
  } catch {
    return parent === path ? { identity: 'missing', changedMs: 0 } : absence(parent);
  }
}
