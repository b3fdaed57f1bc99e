import { createHash } from 'node:crypto';
import { lstat, mkdir, readdir, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { codeOf, messageOf } from '@mcp/kit';
import { replaceFile, withFileLock } from '@mcp/kit/node';
import { usageError } from '../../errors.ts';
import { readFile } from '../../read-file.ts';

export interface ChangeOptions {
  /** The directory of `mcp` in which backups are kept. */
  readonly stateDirectory: string;
  /** The directory of the project to which the file belongs: a link must not lead out of it. */
  readonly project?: string | undefined;
}

export interface FileChange {
  /** The file that was written: the path, or where a link at the path leads. */
  readonly file: string;
  /** The text that the file has now. */
  readonly text: string;
  /** A copy of the file as it was; undefined if the file is new, or unchanged. */
  readonly backup: string | undefined;
  readonly isNew: boolean;
}

/** How many backups are kept, of all files together. */
const maxBackups = 100;

/** How often a change is made anew because another program has changed the file meanwhile. */
const maxAttempts = 5;

/**
 * Changes a configuration file: atomically, with its permissions, after a backup. `edit` gets the text of the
 * file, which is empty for a missing file. If another program changes the file meanwhile, `edit` is called
 * again. Rejects with a `HostError` if the file is read-only or belongs to another user, or cannot be read or
 * written.
 */
export async function changeFile(
  path: string,
  edit: (text: string) => string,
  options: ChangeOptions,
): Promise<FileChange> {
  try {
    const file = await fileAt(path, options.project);
    const lock = join(options.stateDirectory, 'locks', hashOf(file));
    return await withFileLock(lock, () => attempt(file, edit, options, maxAttempts));
  } catch (error) {
    throw usageError(`Cannot change "${path}": ${messageOf(error)}`, undefined, error);
  }
}

async function attempt(
  file: string,
  edit: (text: string) => string,
  options: ChangeOptions,
  attempts: number,
): Promise<FileChange> {
  const before = await contentOf(file);
  const old = before ? textOf(before.bytes) : '';
  const text = edit(old);
  if (text === old) return { file, text, backup: undefined, isNew: false };
  const backup = before && (await backUp(file, before.bytes, options.stateDirectory));
  const mode = before?.mode ?? (options.project === undefined ? undefined : 0o644);
  const verify = async () => {
    const now = await contentOf(file);
    if (now && before ? !now.bytes.equals(before.bytes) : now !== before) throw new Changed();
  };
  // The directories of a project are for all who may read the project.
  if (options.project !== undefined) await mkdir(dirname(file), { recursive: true });
  try {
    await replaceFile(file, text, { mode, gid: before?.gid, verify });
  } catch (error) {
    if (!(error instanceof Changed) || attempts === 1) throw error;
    return attempt(file, edit, options, attempts - 1);
  }
  return { file, text, backup, isNew: !before };
}

/** Another program has changed the file since it was read. */
class Changed extends Error {
  override readonly message = 'another program changes it all the time';
}

/** The file that a path leads to. Throws if a link in a project leads out of the project. */
async function fileAt(path: string, project: string | undefined): Promise<string> {
  const found = await realpath(path).catch(async (error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
    const stats = await lstat(path).catch(() => undefined);
    if (stats?.isSymbolicLink())
      throw new Error('it is a link to a file that does not exist', { cause: error });
    return missingFile(path);
  });
  const root = project === undefined ? undefined : await realpath(project);
  const way = root === undefined ? '' : relative(root, found);
  if (isAbsolute(way) || way.split(sep, 1)[0] === '..')
    throw new Error(`it is a link out of the project, to "${found}"`);
  return found;
}

/** The path of a missing file, with the links of its directories followed as far as these exist. */
async function missingFile(path: string): Promise<string> {
  const directory = dirname(path);
  const found = await realpath(directory).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT' || directory === path) throw error;
    return missingFile(directory);
  });
  return join(found, basename(path));
}

async function contentOf(file: string) {
  try {
    const { uid, gid, mode } = await stat(file);
    if (process.getuid && uid !== process.getuid()) throw new Error('it belongs to another user');
    if ((mode & 0o200) === 0) throw new Error('it is read-only');
    return { bytes: await readFile(file), mode: mode & 0o777, gid };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (!Buffer.from(text).equals(bytes)) throw new Error('it is not UTF-8');
  return text;
}

/** Copies a file into the state directory, which only the user can read, and deletes the oldest backups. */
async function backUp(file: string, bytes: Buffer, stateDirectory: string): Promise<string> {
  const directory = join(stateDirectory, 'backups');
  const time = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const backup = join(directory, `${time}-${hashOf(file).slice(0, 8)}-${basename(file)}`);
  await replaceFile(backup, bytes.toString('utf8'));
  // The names begin with their times.
  const names = (await readdir(directory)).toSorted();
  for (const name of names.slice(0, -maxBackups)) await rm(join(directory, name), { force: true });
  return backup;
}

function hashOf(file: string): string {
  return createHash('sha256').update(file).digest('hex').slice(0, 40);
}
