import { lstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
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
  /** The directory of files to import; without it there is no tool import. */
  readonly importDirectory: string | undefined;
}

export interface FileOptions {
  readonly paths: readonly string[];
  readonly exportDirectory?: string | undefined;
  readonly importDirectory?: string | undefined;
  /** Whether a database may be missing, because a call may create it. */
  readonly allowCreate?: boolean | undefined;
}

/**
 * Throws if a path does not exist, or is not a file or a directory as its option requires. Opens nothing: a
 * damaged database is reported when it is used.
 */
export function resolveFiles({
  paths,
  exportDirectory,
  importDirectory,
  allowCreate = false,
}: FileOptions): ServerFiles {
  return {
    databases: withNames([...new Set(paths.map((path) => resolveFile(path, allowCreate)))]),
    exportDirectory: resolveDirectory(exportDirectory),
    importDirectory: resolveDirectory(importDirectory),
  };
}

function resolveDirectory(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return realpathSync(path);
  throw new Refused(`No such directory: "${path}"`);
}

/** Follows symlinks once, so that they cannot point elsewhere later. */
function resolveFile(path: string, allowCreate: boolean): string {
  let real: string;
  try {
    real = allowCreate ? realPathOfNew(path) : realpathSync(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ELOOP') throw new Refused(`Too many levels of symbolic links: "${path}"`);
    throw new Refused(`No such ${allowCreate ? 'directory' : 'database'}: "${path}"`);
  }
  if (statSync(real, { throwIfNoEntry: false })?.isFile() === false)
    throw new Refused(`Not a regular file: "${path}"`);
  // The driver trims the path, and would open another file.
  if (real.trim() !== real)
    throw new Refused(`The file name begins or ends with white space, which the driver removes: "${path}"`);
  return real;
}

/**
 * The same for a file that may be missing, in a directory that exists. A symlink without a target is refused.
 */
function realPathOfNew(path: string): string {
  const isMissing = lstatSync(path, { throwIfNoEntry: false }) === undefined;
  return isMissing ? join(realpathSync(dirname(path)), basename(path)) : realpathSync(path);
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
