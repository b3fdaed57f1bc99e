import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import type { AllowedDirectory } from './allowed-directory.ts';
import { OutsideDirectories } from '../errors.ts';
import { equivalentName } from './equivalent-names.ts';
import type { RequestedPath } from './requested-path.ts';

/** A path that was resolved step by step, without opening anything. */
export interface ResolvedPath {
  /** The real path of the existing part. A buffer, because a name in it may not be UTF-8. */
  readonly path: Buffer;
  /** The names at the end of the path that do not exist; empty if the whole path exists. */
  readonly missing: readonly string[];
  /** The target of the symlink that leads to the missing names; absent if no symlink does. */
  readonly danglingTarget?: string;
}

/**
 * Resolves a path that could not be opened, to find the reason: the operating system's own error could reveal
 * which entries exist outside the allowed directories. Also finds a name that differs only in Unicode form.
 * Callers must verify the result again when they open it.
 */
export function resolvePath(
  requested: RequestedPath,
  directories: readonly AllowedDirectory[],
): ResolvedPath {
  const pending = requested.remainder.split(sep);
  let at: Buffer = Buffer.from(requested.directory.real);
  let links = 0;
  let target = { text: '', rest: 0 };

  for (let name = pending.shift(); name !== undefined; name = pending.shift(), target.rest--) {
    if (name === '' || name === '.') continue;
    if (name === '..') {
      at = assertInside(Buffer.from(dirname(at.toString())), requested, directories);
      continue;
    }
    const found = step(at, name, requested);
    if (!found) {
      const missing = [name, ...pending.filter((rest) => rest && rest !== '.')];
      return { path: at, missing, ...(target.rest > 0 && { danglingTarget: target.text }) };
    }

    if (found.stats.isSymbolicLink()) {
      if (++links > 40) throw Object.assign(new Error('ELOOP'), { code: 'ELOOP' });
      const text = readlinkSync(found.path);
      const names = text.split(sep);
      at = assertInside(linkOrigin(at, names, directories), requested, directories);
      pending.unshift(...names);
      // `rest` is how many names of the target remain to be resolved. One is added, because `continue` makes
      // the loop subtract 1 before the first of these names.
      target = { text, rest: names.length + 1 };
      continue;
    }
    at = found.path;
    if (pending.length && !found.stats.isDirectory())
      throw Object.assign(new Error('ENOTDIR'), { code: 'ENOTDIR' });
  }
  return { path: at, missing: [] };
}

/** The directory at which a symlink's target starts. Removes the names that lead there from `target`. */
function linkOrigin(at: Buffer, target: string[], directories: readonly AllowedDirectory[]): Buffer {
  if (target[0] === '') {
    const path = resolve(target.join(sep));
    for (const directory of directories) {
      const remainder = directory.remainder(path);
      if (remainder === undefined) continue;
      target.splice(0, target.length, ...remainder.split(sep));
      return Buffer.from(directory.real);
    }
    return Buffer.from(sep);
  }
  const up = target.findIndex((name) => name !== '..');
  const parents = target.splice(0, up < 0 ? target.length : up);
  if (!parents.length) return at;
  // A relative symlink from one allowed directory to another may go up through a directory outside of both,
  // which would be refused. So its target is resolved from the allowed directory that contains the target.
  const above = resolve(at.toString(), ...parents);
  const back = resolve(above, ...target);
  const directory = directories.find((candidate) => candidate.contains(back));
  if (!directory || directory.contains(above)) return Buffer.from(above);
  target.splice(0, target.length, ...directory.relativePath(back)!.split(sep));
  return Buffer.from(directory.real);
}

function assertInside(
  at: Buffer,
  requested: RequestedPath,
  directories: readonly AllowedDirectory[],
): Buffer {
  const path = at.toString();
  if (!directories.some((directory) => directory.contains(path)))
    throw new OutsideDirectories(requested.text);
  return at;
}

function step(
  directory: Buffer,
  name: string,
  requested: RequestedPath,
): { path: Buffer; stats: Stats } | undefined {
  const path = joinBytes(directory, Buffer.from(name));
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats) return { path, stats };

  const equivalent = equivalentName(name, directory, requested.text);
  if (!equivalent) return undefined;
  const other = joinBytes(directory, equivalent);
  const otherStats = lstatSync(other, { throwIfNoEntry: false });
  return otherStats && { path: other, stats: otherStats };
}

function joinBytes(directory: Buffer, name: Buffer): Buffer {
  return Buffer.concat([directory, Buffer.from(directory.at(-1) === 0x2f ? '' : sep), name]);
}
