import { createHash } from 'node:crypto';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { BigIntStats } from 'node:fs';

/** Describes the state of a path: two texts differ if, and only if, the path has changed. */
export type Identity = (path: string) => Promise<string>;

/** The state of a path at one moment. */
export interface Snapshot {
  identity: string;
  /**
   * The change time of the file, or the latest change time of the directory's entries, in milliseconds since
   * 1970; 0 if there is none.
   */
  changedMs: number;
}

// The clock of a file system advances in steps of 1 to 16 ms: after two changes within one step, the times of
// a file can be the same.
const clockTickMs = 20;

const maxConcurrentStats = 256;

let unsettledCount = 0;

/**
 * The identity of a path. The identity of a file contains its inode, kind, permissions, size and times; the
 * identity of a directory also contains the identities of its entries. Reads only metadata; follows symbolic
 * links, except those inside a directory.
 */
export const identityOf: Identity = (path) => settled(() => takeSnapshot(path));

/**
 * Takes the identity of a path. If the last change is less than a clock tick old, waits and takes it again,
 * so that any later change leads to other times.
 */
export async function settled(take: () => Promise<Snapshot>): Promise<string> {
  const first = await take();
  const age = Date.now() - first.changedMs;
  if (age < 0 || age >= clockTickMs) return first.identity;

  await wait(clockTickMs - age);
  const second = await take();
  if (second.changedMs === first.changedMs) return second.identity;
  // The path is still being changed. Returns an identity that never occurs again, so that the next comparison
  // finds a difference even if the times are equal.
  return `${second.identity} unsettled ${++unsettledCount}`;
}

async function takeSnapshot(path: string): Promise<Snapshot> {
  try {
    const stats = await stat(path, { bigint: true });
    return stats.isDirectory() ? await directory(path, stats) : file(stats);
  } catch (error) {
    return absent(error);
  }
}

function file({ dev, ino, mode, size, mtimeNs, ctimeNs }: BigIntStats): Snapshot {
  return {
    identity: `file ${dev}:${ino} ${mode} ${size} ${mtimeNs} ${ctimeNs}`,
    changedMs: Number(ctimeNs / 1_000_000n),
  };
}

async function directory(path: string, { dev, ino, mode }: BigIntStats): Promise<Snapshot> {
  const hash = createHash('sha1');
  let changedMs = 0;

  const names = (await readdir(path)).sort();
  for (let at = 0; at < names.length; at += maxConcurrentStats) {
    const some = names.slice(at, at + maxConcurrentStats);
    const entries = await Promise.all(some.map((name) => entry(join(path, name))));
    for (const [index, { identity, changedMs: entryChangedMs }] of entries.entries()) {
      hash.update(`${some[index]}\0${identity}\0`);
      changedMs = Math.max(changedMs, entryChangedMs);
    }
  }

  return { identity: `directory ${dev}:${ino} ${mode} ${hash.digest('base64')}`, changedMs };
}

async function entry(path: string): Promise<Snapshot> {
  try {
    const stats = await lstat(path, { bigint: true });
    if (!stats.isDirectory()) return file(stats);
    // The size and times of a subdirectory are left out: they change with its own entries, which do not
    // belong to this directory.
    return { identity: `directory ${stats.dev}:${stats.ino} ${stats.mode}`, changedMs: 0 };
  } catch (error) {
    return absent(error);
  }
}

function absent(error: unknown): Snapshot {
  const { code } = error as NodeJS.ErrnoException;
  return {
    identity: code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : String(code ?? error),
    changedMs: 0,
  };
}
