import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, extname } from 'node:path';
import { Refused } from './errors.ts';

export interface DatabaseFile {
  /** The database's name in tools and URIs. */
  readonly name: string;
  /** Absolute, without symlinks. */
  readonly path: string;
}

/** The files and directories that a server may use, resolved once. */
export interface ServerFiles {
  readonly databases: readonly DatabaseFile[];
  /** The directory for exports; without it there is no tool export. */
  readonly exportDirectory: string | undefined;
}

/** Throws where a path is not what it is named for. Opens nothing: a damaged database is reported when it is used. */
export function resolveFiles({
  paths,
  exportDirectory,
}: {
  readonly paths: readonly string[];
  readonly exportDirectory?: string | undefined;
}): ServerFiles {
  return {
    databases: withNames([...new Set(paths.map((path) => resolveFile(path)))]),
    exportDirectory: exportDirectory === undefined ? undefined : resolveDirectory(exportDirectory),
  };
}

function resolveDirectory(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return realpathSync(path);
  throw new Refused(`No such directory: "${path}"`);
}

/** Follows symlinks once, so that they cannot point elsewhere later. */
function resolveFile(path: string): string {
  let real: string;
  try {
    real = realpathSync(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ELOOP') throw new Refused(`Too many levels of symbolic links: "${path}"`);
    throw new Refused(`No such database: "${path}"`);
  }
  if (!statSync(real).isFile()) throw new Refused(`Not a regular file: "${path}"`);
  // The driver trims the path, and would open another file.
  if (real.trim() !== real)
    throw new Refused(`The file name begins or ends with white space, which the driver removes: "${path}"`);
  return real;
}

/** Names each file without its extension; with it, and with its directory, where that name is taken. */
function withNames(paths: readonly string[]): DatabaseFile[] {
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
