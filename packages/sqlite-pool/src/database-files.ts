import { lstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { codeOf } from '@mcp/kit';
import { Refused } from './errors.ts';

export interface DatabaseFile {
  /** The name by which `Databases` finds the database. */
  readonly name: string;
  /** The absolute path, without symlinks. */
  readonly path: string;
}

/** The directories for exports and imports. */
interface FileDirectories {
  /** Where exports and backups are created. If it is undefined, they are not possible. */
  readonly exportDirectory?: string | undefined;
  /** Where the files to import are. If it is undefined, imports are not possible. */
  readonly importDirectory?: string | undefined;
}

/** The databases and directories that the server may use, with paths that were resolved when it started. */
export interface ServerFiles extends FileDirectories {
  readonly databases: readonly DatabaseFile[];
  /** The absolute paths of the extensions. */
  readonly extensions?: readonly string[] | undefined;
}

export interface FileOptions extends FileDirectories {
  /** The database files, at least one. */
  readonly paths: readonly string[];
  /** The files of SQLite extensions. They are native code, which may do anything. */
  readonly extensions?: readonly string[] | undefined;
  /** Whether a database file may be missing, because a write or import can create it. */
  readonly allowCreate?: boolean | undefined;
}

/**
 * Throws if a path does not exist or is of the wrong kind. A damaged database is reported when it is used.
 */
export function resolveFiles({
  paths,
  exportDirectory,
  importDirectory,
  extensions = [],
  allowCreate = false,
}: FileOptions): ServerFiles {
  return {
    databases: withNames([...new Set(paths.map((path) => resolveFile(path, allowCreate)))]),
    exportDirectory: resolveDirectory(exportDirectory),
    importDirectory: resolveDirectory(importDirectory),
    extensions: extensions.map(resolveExtension),
  };
}

function resolveDirectory(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return realpathSync(path);
  throw new Refused(`No such directory: "${path}"`);
}

function resolveExtension(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) return realpathSync(path);
  throw new Refused(`No such extension: "${path}"; expected the file of a shared library`);
}

/** Follows symlinks once, at the start, so that changing a symlink later does not lead to another file. */
function resolveFile(path: string, allowCreate: boolean): string {
  let real: string;
  try {
    real = allowCreate ? realPathOfNew(path) : realpathSync(path);
  } catch (error) {
    if (codeOf(error) === 'ELOOP') throw new Refused(`Too many levels of symbolic links: "${path}"`);
    throw new Refused(`No such ${allowCreate ? 'directory' : 'database'}: "${path}"`);
  }
  if (statSync(real, { throwIfNoEntry: false })?.isFile() === false)
    throw new Refused(`Not a regular file: "${path}"`);
  // The driver would trim the path, and open another file.
  if (real.trim() !== real)
    throw new Refused(`The file name begins or ends with white space; rename the file: "${path}"`);
  return real;
}

/** Returns the real path of a file, which may be missing in its directory. Throws for a dangling symlink. */
function realPathOfNew(path: string): string {
  const isMissing = lstatSync(path, { throwIfNoEntry: false }) === undefined;
  return isMissing ? join(realpathSync(dirname(path)), basename(path)) : realpathSync(path);
}

/**
 * Names each database by its file name without the extension. If another database has that name, the
 * extension is added; if that name is taken, too, the name of the directory is added.
 */
function withNames(paths: readonly string[]): DatabaseFile[] {
  const candidates = (path: string) => {
    const base = basename(path);
    return [
      base.slice(0, base.length - extname(base).length) || base,
      base,
      `${basename(dirname(path))}-${base}`,
    ];
  };
  // In SQL, `temp` is the schema of temporary tables, so no attached database may have that name.
  const taken = new Set<string>(paths.length > 1 ? ['temp'] : []);
  return paths.map((path) => {
    const free = candidates(path).find((each) => !taken.has(each.toLowerCase()));
    const name = free ?? `${basename(path)}-${taken.size}`;
    taken.add(name.toLowerCase());
    return { name, path };
  });
}
