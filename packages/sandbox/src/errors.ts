import { codeOf, messageOf, quoted } from '@mcp/kit';

/** The path does not exist. */
export class NotFound extends Error {
  override name = 'NotFound';
  /** The last part of the message, such as similar names; empty if there is no advice. */
  readonly hint: string;

  constructor(message: string, hint = '') {
    super(message + hint);
    this.hint = hint;
  }
}

/** The path leads out of the allowed directories; the message does not reveal whether an entry exists. */
export class OutsideDirectories extends Error {
  override name = 'OutsideDirectories';

  constructor(path: string) {
    super(`Outside the allowed directories: ${quoted(path)}`);
  }
}

/** The file changed since the caller read it. */
export class Conflict extends Error {
  override name = 'Conflict';
}

/** The error for changing an entry whose name is not UTF-8: its exact bytes were lost in decoding. */
export const notUtf8 = 'A file whose name is not UTF-8 can be read but not changed';

export type Noun = 'file' | 'directory';

const reasons: Record<string, string> = {
  ENOTDIR: 'Not a directory',
  EISDIR: 'Is a directory, not a file',
  EACCES: 'Permission denied',
  EPERM: 'Permission denied',
  ELOOP: 'Too many symbolic links',
  ENAMETOOLONG: 'Name too long',
  ENOSPC: 'No space left on the disk for',
  EDQUOT: 'Disk quota exceeded by',
  EFBIG: 'Too large for the file system',
  EROFS: 'Read-only file system',
  EEXIST: 'Already exists',
  EBUSY: 'In use, or a mount point',
  EAGAIN: 'Nothing to read at the moment from',
  EMFILE: 'Too many open files in this process; try again later',
  ENFILE: 'Too many open files on this system; try again later',
  EIO: 'Input or output error',
  EINVAL: 'Not possible for this file or file system',
  ENOTSUP: 'Not supported by the file system',
  ETXTBSY: 'Is a running program; stop it before changing',
  ENXIO: 'A socket, or a pipe or device that no program serves',
  ESTALE: 'Not there any more on the file server; try again',
};

/** Returns the reason of a system error in plain words, without a path; of other errors, the message. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (!code) return messageOf(error);
  return reasons[code]?.replace(/ (?:for|by|from)$/, '') ?? `Failed with ${code}`;
}

/** Returns a system error in plain words with the requested path; returns other errors unchanged. */
export function toPathError(error: unknown, path: string, noun: Noun = 'file'): Error {
  const code = codeOf(error);
  if (error instanceof Error && !code) return error;
  if (code === 'ENOENT') return new NotFound(`No such ${noun}: ${quoted(path)}`);
  return new Error(`${reasons[code ?? ''] ?? `Failed with ${code}`}: ${quoted(path)}`, { cause: error });
}
