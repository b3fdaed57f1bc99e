import { lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { identityOf, settled, type Identity, type Snapshot } from './identity.ts';

/**
 * Like {@link identityOf}, but a missing path has the identity and change time of the nearest existing
 * directory above it. So a file that was created and deleted again between two comparisons is reported as a
 * change, because somebody may have read it in between. While the path is missing, changes of other files in
 * that directory are therefore reported, too.
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
