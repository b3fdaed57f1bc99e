import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import type { AllowedDirectory } from './allowed-directory.ts';
import { quoted } from '../display-name.ts';
import { OutsideDirectories } from '../errors.ts';
import { sameName } from './equivalent-names.ts';
import type { WantedPath } from './requested-path.ts';

/** Where a path leads when it is followed step by step, without opening anything. */
export interface Landing {
  /** Real as far as things exist. A buffer, for a name on the way may not be UTF-8. */
  readonly path: Buffer;
  /** What is missing of the way there: nothing, the last name, or more. */
  readonly missing: readonly string[];
}

/**
 * Follows a path that could not be opened, to say why: the operating system's own answer could tell what exists
 * outside. It also finds a name that is only spelled differently. Nothing is opened by what it returns without
 * being verified then.
 */
export function trace(wanted: WantedPath, directories: readonly AllowedDirectory[]): Landing {
  const pending = wanted.remainder.split(sep);
  let at: Buffer = Buffer.from(wanted.directory.real);
  let links = 0;

  for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
    if (name === '' || name === '.') continue;
    if (name === '..') {
      at = inside(Buffer.from(dirname(at.toString())), wanted, directories);
      continue;
    }
    const found = step(at, name, wanted);
    if (!found) return { path: at, missing: [name, ...pending.filter((rest) => rest && rest !== '.')] };

    if (found.stats.isSymbolicLink()) {
      if (++links > 40) throw Object.assign(new Error('ELOOP'), { code: 'ELOOP' });
      const target = readlinkSync(found.path).split(sep);
      at = inside(turn(at, target, directories), wanted, directories);
      pending.unshift(...target);
      continue;
    }
    at = found.path;
    if (pending.length && !found.stats.isDirectory())
      throw Object.assign(new Error('ENOTDIR'), { code: 'ENOTDIR' });
  }
  return { path: at, missing: [] };
}

/** Where a link continues from: an allowed directory, or here, less the `..` the target begins with. */
function turn(at: Buffer, target: string[], directories: readonly AllowedDirectory[]): Buffer {
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
  const climbed = target.splice(0, up < 0 ? target.length : up);
  if (!climbed.length) return at;
  // On its way from an allowed directory into another, or back, a link may pass through what is outside.
  const above = resolve(at.toString(), ...climbed);
  const back = resolve(above, ...target);
  const directory = directories.find((candidate) => candidate.holds(back));
  if (!directory || directory.holds(above)) return Buffer.from(above);
  target.splice(0, target.length, ...directory.below(back)!.split(sep));
  return Buffer.from(directory.real);
}

function inside(at: Buffer, wanted: WantedPath, directories: readonly AllowedDirectory[]): Buffer {
  const path = at.toString();
  if (!directories.some((directory) => directory.holds(path))) throw new OutsideDirectories(wanted.asked);
  return at;
}

function step(
  directory: Buffer,
  name: string,
  wanted: WantedPath,
): { path: Buffer; stats: Stats } | undefined {
  const path = beneath(directory, Buffer.from(name));
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats) return { path, stats };

  const others = sameName(name, directory);
  if (others.length > 1) throw new Error(`More than one name is spelled like this: ${quoted(wanted.asked)}`);
  if (!others[0]) return undefined;
  const other = beneath(directory, others[0]);
  const otherStats = lstatSync(other, { throwIfNoEntry: false });
  return otherStats && { path: other, stats: otherStats };
}

function beneath(directory: Buffer, name: Buffer): Buffer {
  return Buffer.concat([directory, Buffer.from(directory.at(-1) === 0x2f ? '' : sep), name]);
}
