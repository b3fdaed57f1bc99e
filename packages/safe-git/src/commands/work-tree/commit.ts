import { argv } from '../../argv.ts';
import { quoted } from '../../safe-text.ts';
import type { Command } from '../../command.ts';

export interface CommitOptions {
  /**
   * The message; needed unless `amend` is true. With `amend`, it defaults to the message of the last commit.
   */
  readonly message?: string | undefined;
  /** The author as `Name <email>`. Defaults to the author that git has configured. */
  readonly author?: string | undefined;
  readonly amend?: boolean;
  readonly allowEmpty?: boolean;
  /** If true, hooks run, and commits are signed if the configuration says so. */
  readonly trusted: boolean;
  /** Whether commits are signed with the key of the operator. */
  readonly signs?: boolean;
}

const maxMessageLength = 1024 * 1024;

/** Commits the staged changes. Git stores the message as it is, without cleaning it up. */
export function commit({ message, author, amend, allowEmpty, trusted, signs }: CommitOptions): Command<void> {
  return {
    kind: 'write',
    args: argv`commit --quiet ${message === undefined ? '--no-edit' : '--file=-'} --cleanup=verbatim ${!trusted && '--no-verify'} ${!trusted && !signs && '--no-gpg-sign'}
      --author=${author === undefined ? undefined : authorOf(author)}
      ${amend && '--amend'} ${allowEmpty && '--allow-empty'}`,
    input: message === undefined && amend ? undefined : messageOf(message),
    refusals: [
      [
        /nothing to commit|nothing added to commit|no changes added to commit/,
        'Nothing to commit: nothing is staged',
      ],
      [
        /unmerged files|fix conflicts/i,
        'There are unresolved conflicts: resolve them, add the files, then commit',
      ],
      [/You have nothing to amend/, 'Nothing to amend: there is no commit yet'],
    ],
  };
}

/** The message with a line break at its end. Throws if it is missing, empty, over 1 MiB, or has a NUL. */
export function messageOf(message: string | undefined): string {
  if (message === undefined) throw new Error('Missing message');
  if (message.trim() === '') throw new Error('Invalid message: it is empty');
  if (message.includes('\0')) throw new Error('Invalid message: it contains a NUL');
  if (message.length > maxMessageLength) throw new Error('Invalid message: it is longer than 1 MiB');
  return message.endsWith('\n') ? message : `${message}\n`;
}

function authorOf(author: string): string {
  // Angle brackets and control characters are refused, because they delimit the fields of a commit's header.
  if (/^[^<>\p{Cc}]{1,200} <[^<> \p{Cc}]{1,200}>$/u.test(author)) return author;
  throw new Error(`Invalid author: ${quoted(author)}; expected Name <email>`);
}
