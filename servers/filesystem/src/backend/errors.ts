import { quoted } from './display-name.ts';

/** Nothing is there. */
export class NotFound extends Error {
  override name = 'NotFound';
}

/** The path leads out of the allowed directories; says nothing of what is, or is not, out there. */
export class OutsideDirectories extends Error {
  override name = 'OutsideDirectories';

  constructor(path: string) {
    super(`Outside the allowed directories: ${quoted(path)}`);
  }
}

/** The file is not what the caller last saw. */
export class Conflict extends Error {
  override name = 'Conflict';
}

/** Why a name is left as it is: it is not known by its bytes here. */
export const notUtf8 = 'A name that is not UTF-8 can be read but not changed';

export type Noun = 'file' | 'directory';

const reasons: Record<string, string> = {
  ENOTDIR: 'Not a directory',
  EISDIR: 'Is a directory, not a file',
  EACCES: 'Permission denied',
  EPERM: 'Permission denied',
  ELOOP: 'Too many symbolic links',
  ENAMETOOLONG: 'Name too long',
  ENOSPC: 'No space left for',
  EDQUOT: 'Disk quota exceeded by',
  EFBIG: 'Too large for the file system',
  EROFS: 'Read-only file system',
  EEXIST: 'Already exists',
  EBUSY: 'Busy',
  EAGAIN: 'Nothing to read at the moment',
  EMFILE: 'Too many open files to open',
  ENFILE: 'Too many open files to open',
  EIO: 'Input or output error',
};

export function codeOf(error: unknown): string | undefined {
  // An abort has a code too, which is a number.
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** What the operating system refused, in words that quote the path as it was asked for. */
export function failure(error: unknown, path: string, noun: Noun = 'file'): Error {
  const code = codeOf(error);
  if (error instanceof Error && !code) return error;
  if (code === 'ENOENT') return new NotFound(`No such ${noun}: ${quoted(path)}`);
  return new Error(`${reasons[code ?? ''] ?? `Failed with ${code}`}: ${quoted(path)}`, { cause: error });
}
