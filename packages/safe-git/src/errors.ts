import type { Command, CommandOutput } from './command.ts';
import { escapeName, quoted } from './safe-text.ts';
import { missing, type Missing } from './missing.ts';

/**
 * A reason to refuse something that the caller can allow by an option of the library or by another argument.
 */
export type Lifted = 'not trusted' | 'no directory' | 'several repositories';

/** Git refused or failed. The message is safe to print. */
export class GitError extends Error {
  override readonly name: string = 'GitError';
  /**
   * The reason, if what was refused can be allowed. The program that uses the library then adds to the
   * message how to allow it.
   */
  readonly lifted: Lifted | undefined;

  constructor(message: string, lifted?: Lifted) {
    super(message);
    this.lifted = lifted;
  }
}

/** A revision, path or branch does not exist. */
export class NotFoundError extends GitError {
  override readonly name = 'NotFoundError';
  readonly missing: Missing | undefined;

  constructor(message: string, missing?: Missing) {
    super(message);
    this.missing = missing;
  }
}

/** The error for something that does not exist. */
export function missingError(what: Missing): NotFoundError {
  return new NotFoundError(what.message, what);
}

/** Returns the error for something that does not exist. The arguments are its kind and name. */
export function noSuch(...what: Parameters<typeof missing>): NotFoundError {
  return missingError(missing(...what));
}

/** A directory is not in a repository. */
export class NoRepositoryError extends GitError {
  override readonly name = 'NoRepositoryError';
}

/** A path leads outside the allowed directories. The message does not reveal whether the path exists. */
export class OutsideAllowedDirectories extends Error {
  override readonly name = 'OutsideAllowedDirectories';
}

const notFoundPattern =
  /bad revision|unknown revision|ambiguous argument|not a valid object name|bad object|no such (path|ref|branch)|does not exist|invalid object name|not a commit|no such commit|did not match any file|pathspec|not in the working tree|malformed object name|needed a single revision|not our ref|exists on disk, but not in/i;

export const damagedMessage =
  'The repository is damaged: an object is missing or corrupt; git fsck shows which';

const knownErrors: readonly (readonly [
  printed: RegExp,
  message: string | ((match: RegExpExecArray) => string),
])[] = [
  [
    /index\.lock': File exists/,
    'Another git process is running in this repository, or one has ended and left its lock; if none is running, remove the index.lock file of the repository',
  ],
  [
    /'([^'\n]*\.lock)': File exists/,
    ([, lock = '']) =>
      `Another git process is changing the same ref or file, or has ended and left its lock; if none is running, remove ${quoted(lock)}`,
  ],
  [
    /detected dubious ownership/,
    'The repository belongs to another user; to use it, add its path to safe.directory in your git configuration',
  ],
  [
    /Author identity unknown|tell me who you are|empty ident name|unable to auto-detect email/i,
    'No author is known: set user.name and user.email with git config',
  ],
  [
    /loose object .* is corrupt|object file .* is empty|inflate: data stream error|sha1 mismatch|hash mismatch/,
    damagedMessage,
  ],
  // Git's message quotes the unreadable line. A hostile submodule can make git read a file outside the
  // repository as packed-refs, so git's message could reveal that file's content.
  [
    /(unexpected|unterminated) line in/,
    'Git refused: the packed-refs of the repository, or of a submodule, cannot be read',
  ],
  [/not a git repository/, 'The repository is damaged: HEAD, or another part of it, is missing'],
  [
    /bad config|unable to parse config/i,
    "The repository's configuration is invalid; git config --list shows the line",
  ],
  [
    /could not read Username|could not read Password|Authentication failed|terminal prompts disabled/i,
    'The remote requires credentials, and git may not prompt for them; set up a credential helper',
  ],
  [
    /could not fetch [0-9a-f]+ from promisor remote/,
    'The repository is a partial clone, and a required object was never fetched',
  ],
  [
    /transport '(\w+)' not allowed/,
    ([, transport = '']) => `Refused: the transport ${quoted(transport)} of the remote is not allowed`,
  ],
];

/** Returns the error for a failed git command, from the exit code and what git printed. */
export function commandError(
  command: Pick<Command<unknown>, 'refusals'>,
  { code, stderr, stdout }: CommandOutput,
): GitError {
  const printed = stderr || stdout.toString('utf8', 0, 4_096);
  for (const [pattern, message] of command.refusals ?? []) {
    const match = pattern.exec(printed);
    if (match) return refusalError(typeof message === 'function' ? message(match) : message);
  }
  const [, named] = /(?:bad revision|ambiguous argument|Failed to resolve) '(.*?)'/.exec(printed) ?? [];
  if (named !== undefined) {
    const [, revision, path] = /^([^.:][^:]*):(.*)$/s.exec(named) ?? [];
    if (path === undefined) return noSuch('revision', named.replace(/\^\{commit\}$/, ''));
    const message = `No such file in that revision: ${quoted(named)}`;
    return noSuch('file', path, { revision, message });
  }
  for (const [pattern, known] of knownErrors) {
    const match = pattern.exec(printed);
    if (match) return new GitError(typeof known === 'string' ? known : known(match));
  }
  const message = firstLine(printed) || `exit code ${code}`;
  const Kind = notFoundPattern.test(message) ? NotFoundError : GitError;
  return new Kind(`Git refused: ${message}`);
}

export function refusalError(message: string | Missing): NotFoundError {
  return typeof message === 'string' ? new NotFoundError(message) : missingError(message);
}

function firstLine(printed: string): string {
  const lines = printed.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('hint:'));
  const fatal = lines.find((line) => /^(fatal|error): /.test(line)) ?? lines[0] ?? '';
  const shown = escapeName(fatal.replace(/^(fatal|error): /, ''));
  return shown.length > 500 ? `${shown.slice(0, 500)}…` : shown;
}

export function noRepositoryAllowedError(): GitError {
  return new GitError('No directory is allowed, so that no repository can be used', 'no directory');
}

export function outsideError(path: string): OutsideAllowedDirectories {
  return new OutsideAllowedDirectories(`Outside the allowed directories: ${quoted(path)}`);
}
