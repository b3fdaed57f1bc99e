import { argv } from '../../argv.ts';
import type { Author, Command } from '../../command.ts';
import { line } from '../../parse/printed.ts';

const maxBytes = 64 * 1024 * 1024;

/** Reads commits as git stores them, in the order of `hashes`. Bytes are decoded as latin1. */
export function readCommits(hashes: readonly string[]): Command<string[]> {
  return {
    args: argv`cat-file --batch`,
    input: hashes.map((hash) => `${hash}\n`).join(''),
    maxBytes,
    parse: ({ stdout }) => {
      const commits: string[] = [];
      for (let at = 0; at < stdout.length;) {
        const end = stdout.indexOf(10, at);
        const header = stdout.toString('latin1', at, end);
        const [, size] = /^[0-9a-f]+ commit (\d+)$/.exec(header) ?? [];
        if (size === undefined) {
          const commit = header.slice(0, header.indexOf(' ')).slice(0, 64);
          throw new Error(`The repository is damaged: the commit ${commit} cannot be read`);
        }
        const start = end + 1;
        at = start + Number(size) + 1;
        commits.push(stdout.toString('latin1', start, at - 1));
      }
      return commits;
    },
  };
}

/** Stores a commit and returns its hash. `raw` has one character (latin1) for each byte. */
export function writeCommit(raw: string): Command<string> {
  return {
    kind: 'write',
    args: argv`hash-object -t commit -w --stdin`,
    input: Buffer.from(raw, 'latin1'),
    parse: (output) => line(output)!,
  };
}

/** A commit whose header has nothing but the fields that `git commit-tree` writes. */
export interface PlainCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Author;
  /** The message, with one character (latin1) for each byte. */
  readonly message: string;
}

/**
 * Stores a commit with a signature, and returns its hash. The committer is the one in git's configuration.
 */
export function writeSignedCommit({ tree, parents, author, message }: PlainCommit): Command<string> {
  const named = parents.flatMap((parent) => ['-p', parent]);
  return {
    kind: 'write',
    args: argv`commit-tree -S ${named} -F - ${tree}`,
    author,
    input: Buffer.from(message, 'latin1'),
    parse: (output) => line(output)!,
  };
}

/** The committer's name, address and time as git would write them now, with one character for each byte. */
export const committerNow: Command<string> = {
  args: argv`var GIT_COMMITTER_IDENT`,
  parse: (output) => line(output)!,
};

/** Moves HEAD, or its branch, from commit `from` to commit `to`. Fails if it is not at `from`. */
export function replaceHead(from: string, to: string, reason: string): Command<void> {
  return {
    kind: 'write',
    args: argv`update-ref -m ${reason} HEAD ${to} ${from}`,
    refusals: [
      [/is at \w+ but expected/, 'HEAD was moved by another process meanwhile; nothing was changed'],
    ],
  };
}
