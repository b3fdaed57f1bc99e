import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, extname } from 'node:path';
import { Refused } from './errors.ts';

export interface DatabaseFile {
  /** What tools and URIs call it. */
  readonly name: string;
  readonly path: string;
}

/** Where a server may read and write, found once. */
export interface Places {
  readonly files: readonly DatabaseFile[];
  /** Where exports may be put; without it there are none. */
  readonly exports: string | undefined;
}

/** Throws where something else is there: nothing is opened yet, so that whatever else is wrong is told later. */
export function findPlaces({
  paths,
  exportDirectory,
}: {
  readonly paths: readonly string[];
  readonly exportDirectory?: string | undefined;
}): Places {
  return {
    files: named([...new Set(paths.map((path) => fileAt(path)))]),
    exports: exportDirectory === undefined ? undefined : directoryAt(exportDirectory),
  };
}

function directoryAt(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return realpathSync(path);
  throw new Refused(`No such directory: "${path}"`);
}

/** The file itself: a link is followed once, so that it cannot lead elsewhere later. */
function fileAt(path: string): string {
  let real: string;
  try {
    real = realpathSync(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ELOOP') throw new Refused(`Links in a circle: "${path}"`);
    throw new Refused(`No such database: "${path}"`);
  }
  if (!statSync(real).isFile()) throw new Refused(`Not a regular file: "${path}"`);
  // The driver cuts off white space at the ends, and would open another file.
  if (real.trim() !== real) throw new Refused(`The name ends with white space: "${path}"`);
  return real;
}

/** Names from those of the files without what they end with; with it, and their directories, where that is not enough. */
function named(paths: readonly string[]): DatabaseFile[] {
  const candidates = (path: string) => {
    const base = basename(path);
    return [
      base.slice(0, base.length - extname(base).length) || base,
      base,
      `${basename(dirname(path))}-${base}`,
    ];
  };
  const taken = new Set<string>();
  return paths.map((path) => {
    const free = candidates(path).find((each) => !taken.has(each.toLowerCase()));
    const name = free ?? `${basename(path)}-${taken.size}`;
    taken.add(name.toLowerCase());
    return { name, path };
  });
}
