import { quoted } from '../display-name.ts';
import { nothing, type Command } from '../command.ts';

export interface CommitOptions {
  readonly message: string;
  /** `Name <email>` */
  readonly author?: string | undefined;
  readonly amend?: boolean;
  readonly allowEmpty?: boolean;
  /** Hooks and signing are left to the configuration. */
  readonly trusted: boolean;
}

const longestMessage = 1024 * 1024;

/** Commits what is staged, with the message as it is written. */
export function commit({ message, author, amend, allowEmpty, trusted }: CommitOptions): Command<void> {
  return {
    kind: 'write',
    args: [
      'commit',
      '--quiet',
      '--file=-',
      '--cleanup=verbatim',
      ...(trusted ? [] : ['--no-verify', '--no-gpg-sign']),
      ...(author === undefined ? [] : [`--author=${authorOf(author)}`]),
      ...(amend ? ['--amend'] : []),
      ...(allowEmpty ? ['--allow-empty'] : []),
    ],
    input: messageOf(message),
    refusals: [
      [
        /nothing to commit|nothing added to commit|no changes added to commit/,
        'Nothing is staged, so there is nothing to commit',
      ],
      [/unmerged files|fix conflicts/i, 'There are conflicts: resolve them and add the files, then commit'],
      [/You have nothing to amend/, 'There is no commit to amend yet'],
    ],
    parse: nothing,
  };
}

/** A message that a commit can hold, with the line break that git ends one with. */
export function messageOf(message: string): string {
  if (message.trim() === '') throw new Error('Not a message: it is empty');
  if (message.includes('\0')) throw new Error('Not a message: it holds a NUL');
  if (message.length > longestMessage) throw new Error('Not a message: it is longer than 1 MiB');
  return message.endsWith('\n') ? message : `${message}\n`;
}

function authorOf(author: string): string {
  // What ends a name or an address in the header of a commit can be in neither.
  if (/^[^<>\p{Cc}]{1,200} <[^<> \p{Cc}]{1,200}>$/u.test(author)) return author;
  throw new Error(`Not an author: ${quoted(author)}; accepted is Name <email>`);
}
