import { lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { identityOf, settled, type Identity, type Snapshot } from './identity.ts';

/**
 * As {@link identityOf}, but a path that is missing has the identity of the nearest directory above it. A
 * file that was created and deleted between two comparisons therefore counts as a change, which matters to a
 * reader that was notified earlier and may have read it. So do other files that come and go in that
 * directory.
 */
export const identityOrAbsenceOf: Identity = async (path) => {
  const identity = await identityOf(path);
  return identity === 'missing' ? settled(() => absence(path)) : identity;
};

async function absence(path: string): Promise<Snapshot> {
  const parent = dirname(path);
  try {
    const { dev, ino, ctimeNs } = await lstat(parent, { bigint: true });
    return { identity: `missing from ${dev}:${ino} ${ctimeNs}`, changedMs: Number(ctimeNs / 1_000_000n) };
  } catch {
    return parent === path ? { identity: 'missing', changedMs: 0 } : absence(parent);
  }
}
