import { displayName, quoted } from './display-name.ts';
import type { Command, Output } from './command.ts';

/** Git would not do it; says why in git's own words, safe to print. */
export class GitFailure extends Error {
  override readonly name: string = 'GitFailure';
  readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }
}

/** The revision, path or branch is not there. */
export class NotFound extends GitFailure {
  override readonly name = 'NotFound';
}

/** There is no repository at a path. */
export class NoRepository extends GitFailure {
  override readonly name = 'NoRepository';
}

/** The path leads out of what the operator named; says nothing of what is, or is not, out there. */
export class OutsideBound extends Error {
  override readonly name = 'OutsideBound';
}

const missing =
  /bad revision|unknown revision|ambiguous argument|not a valid object name|bad object|no such (path|ref|branch)|does not exist|invalid object name|not a commit|no such commit|did not match any file|pathspec|not in the working tree|malformed object name|needed a single revision|not our ref|exists on disk, but not in/i;

export const damaged = 'The repository is damaged: an object is missing or corrupt';

const known: readonly (readonly [said: RegExp, meaning: string])[] = [
  [
    /index\.lock': File exists/,
    'Another git process is at work in this repository, or one has died and left its lock; if none runs, remove the index.lock file of the repository',
  ],
  [
    /\.lock': File exists/,
    'Another git process is changing the same thing, or one has died and left its lock',
  ],
  [
    /detected dubious ownership/,
    'The repository belongs to another user; its owner, or safe.directory in your own git configuration, has to allow it',
  ],
  [
    /Author identity unknown|tell me who you are|empty ident name|unable to auto-detect email/i,
    'No author is known: set user.name and user.email with git config',
  ],
  [
    /loose object .* is corrupt|object file .* is empty|inflate: data stream error|sha1 mismatch|hash mismatch/,
    damaged,
  ],
  // Git quotes the line, which can be one of a file that a submodule links to.
  [
    /(unexpected|unterminated) line in/,
    'Git refused: the packed-refs of the repository, or of a submodule, cannot be read',
  ],
  [/not a git repository/, 'The repository is damaged: HEAD, or another part of it, is missing'],
  [/bad config|unable to parse config/i, "The repository's configuration cannot be read"],
  [
    /could not read Username|could not read Password|Authentication failed|terminal prompts disabled/i,
    'The remote wants credentials, which are never asked for here',
  ],
  [
    /could not fetch [0-9a-f]+ from promisor remote/,
    'Not here: the repository is a partial clone, and an object that this needs was never fetched',
  ],
  [/transport '(\w+)' not allowed/, 'Refused: this way to reach a remote is not allowed'],
];

/** What a git process that failed had to say. */
export function failureOf(
  command: Pick<Command<unknown>, 'refusals'>,
  { code, stderr, stdout }: Output,
): GitFailure {
  const said = stderr || stdout.toString('utf8', 0, 4_096);
  for (const [pattern, meaning] of command.refusals ?? []) {
    const match = pattern.exec(said);
    if (match) return new NotFound(typeof meaning === 'string' ? meaning : meaning(match), code);
  }
  const [, named] = /(?:bad revision|ambiguous argument) '(.*?)'/.exec(said) ?? [];
  if (named !== undefined) {
    const noun = /^[^.].*:/.test(named) ? 'file in that revision' : 'revision';
    return new NotFound(`No such ${noun}: ${quoted(named)}`, code);
  }
  const found = known.find(([pattern]) => pattern.test(said));
  if (found) return new GitFailure(found[1], code);
  const message = firstLine(said) || `exit code ${code}`;
  const Kind = missing.test(message) ? NotFound : GitFailure;
  return new Kind(`Git refused: ${message}`, code);
}

function firstLine(said: string): string {
  const lines = said.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('hint:'));
  const fatal = lines.find((line) => /^(fatal|error): /.test(line)) ?? lines[0] ?? '';
  const shown = displayName(fatal.replace(/^(fatal|error): /, ''));
  return shown.length > 500 ? `${shown.slice(0, 500)}…` : shown;
}

export function outside(path: string): OutsideBound {
  return new OutsideBound(`Outside the repositories named at the start: ${quoted(path)}`);
}
