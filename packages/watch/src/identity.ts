import { createHash } from 'node:crypto';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { BigIntStats } from 'node:fs';

/** Says what stands at a path now, in a string that differs when, and only when, it has changed. */
export type Identity = (path: string) => Promise<string>;

/** What stands at a path at one instant. */
export interface Seen {
  identity: string;
  /** When the youngest part of it last changed. */
  changedMs: number;
}

// File systems stamp times by a clock that ticks every 1 to 16 ms: until it has moved on, another change can
// leave the very same times.
const TICK_MS = 20;

const LISTED_AT_ONCE = 256;

let undecided = 0;

/**
 * Compares a file by inode, kind, permissions, size and times, and a directory by its entries, each compared
 * in the same way; nothing is read but metadata. Symbolic links are followed, those inside a directory are not.
 */
export const identityOf: Identity = (path) => settled(() => seen(path));

/** The identity of what is seen, once the clock has moved on since its last change. */
export async function settled(see: () => Promise<Seen>): Promise<string> {
  const first = await see();
  const age = Date.now() - first.changedMs;
  if (age < 0 || age >= TICK_MS) return first.identity;

  await wait(TICK_MS - age);
  const second = await see();
  if (second.changedMs === first.changedMs) return second.identity;
  // Still being written: a name of its own makes sure that the next look is a change, whatever the times say.
  return `${second.identity} unsettled ${++undecided}`;
}

async function seen(path: string): Promise<Seen> {
  try {
    const stats = await stat(path, { bigint: true });
    return stats.isDirectory() ? await directory(path, stats) : file(stats);
  } catch (error) {
    return absent(error);
  }
}

function file({ dev, ino, mode, size, mtimeNs, ctimeNs }: BigIntStats): Seen {
  return {
    identity: `file ${dev}:${ino} ${mode} ${size} ${mtimeNs} ${ctimeNs}`,
    changedMs: Number(ctimeNs / 1_000_000n),
  };
}

async function directory(path: string, { dev, ino, mode }: BigIntStats): Promise<Seen> {
  const hash = createHash('sha1');
  let changedMs = 0;

  const names = (await readdir(path)).sort();
  for (let at = 0; at < names.length; at += LISTED_AT_ONCE) {
    const some = names.slice(at, at + LISTED_AT_ONCE);
    const entries = await Promise.all(some.map((name) => entry(join(path, name))));
    for (const [index, { identity, changedMs: when }] of entries.entries()) {
      hash.update(`${some[index]}\0${identity}\0`);
      changedMs = Math.max(changedMs, when);
    }
  }

  return { identity: `directory ${dev}:${ino} ${mode} ${hash.digest('base64')}`, changedMs };
}

async function entry(path: string): Promise<Seen> {
  try {
    const stats = await lstat(path, { bigint: true });
    if (!stats.isDirectory()) return file(stats);
    // A directory's size and times tell of its own entries, which are one level too deep.
    return { identity: `directory ${stats.dev}:${stats.ino} ${stats.mode}`, changedMs: 0 };
  } catch (error) {
    return absent(error);
  }
}

function absent(error: unknown): Seen {
  const { code } = error as NodeJS.ErrnoException;
  return {
    identity: code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : String(code ?? error),
    changedMs: 0,
  };
}
