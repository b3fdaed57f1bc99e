import type { Command, Reader } from '../command.ts';
import { textOf } from '../display-name.ts';
import { utc } from './nul-records.ts';

export interface Person {
  readonly name: string;
  readonly email: string;
}

export interface Commit {
  readonly hash: string;
  readonly parents: readonly string[];
  readonly author: Person;
  readonly authored: string;
  readonly committer: Person;
  readonly committed: string;
  readonly message: string;
}

export interface LogOptions {
  readonly max: number;
  readonly skip?: number;
  /** A revision or a range; HEAD when it is left out. */
  readonly from?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly author?: string | undefined;
  readonly grep?: string | undefined;
  readonly path?: string | undefined;
  /** Ends the list after the commit with which it becomes longer than this. */
  readonly maxCharacters?: number;
}

const format = ['%H', '%P', '%an', '%ae', '%aI', '%cn', '%ce', '%cI', '%B'];

/** Commits, newest first; of a very long message, the beginning. */
export function log(options: LogOptions): Command<Commit[]> {
  const { max, skip = 0, from = 'HEAD', since, until, author, grep, path } = options;
  return {
    args: [
      'log',
      '-z',
      `--max-count=${max}`,
      `--skip=${skip}`,
      `--format=tformat:${format.join('%x00')}`,
      '--no-show-signature',
      '--no-notes',
      '--encoding=UTF-8',
      ...(since === undefined ? [] : [`--since=${since}`]),
      ...(until === undefined ? [] : [`--until=${until}`]),
      ...(author === undefined ? [] : [`--author=${author}`]),
      ...(grep === undefined ? [] : [`--grep=${grep}`]),
      ...(author === undefined && grep === undefined ? [] : ['--fixed-strings', '--regexp-ignore-case']),
      '--end-of-options',
      from,
      '--',
      ...(path === undefined ? [] : [path]),
    ],
    reader: () => new LogReader(options.maxCharacters),
  };
}

/** Reads commits as they come: each is as many fields as the format has, with a NUL behind every one. */
export class LogReader implements Reader<Commit[]> {
  readonly #commits: Commit[] = [];
  readonly #maxCharacters: number;
  #characters = 0;
  /** The pieces of a commit that is not there in full, and how many of its fields are. */
  #pieces: Buffer[] = [];
  #fields = 0;

  constructor(maxCharacters = Infinity) {
    this.#maxCharacters = maxCharacters;
  }

  take(chunk: Buffer): boolean {
    let start = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, end + 1)) {
      if (++this.#fields < format.length) continue;
      this.#add(chunk.subarray(start, end));
      start = end + 1;
      if (this.#characters > this.#maxCharacters) return false;
    }
    if (start < chunk.length) this.#pieces.push(chunk.subarray(start));
    return true;
  }

  result(): Commit[] {
    return this.#commits;
  }

  #add(last: Buffer): void {
    const bytes = this.#pieces.length === 0 ? last : Buffer.concat([...this.#pieces, last]);
    const commit = commitOf(textOf(bytes));
    this.#pieces = [];
    this.#fields = 0;
    this.#characters += lengthOf(commit);
    this.#commits.push(commit);
  }
}

const longestMessage = 16 * 1024;

function commitOf(record: string): Commit {
  const [hash, parents, author, authorEmail, authored, committer, committerEmail, committed, text] =
    record.split('\0') as [string, string, string, string, string, string, string, string, string];
  const message = text.replace(/\n+$/, '');
  return {
    hash,
    parents: parents === '' ? [] : parents.split(' '),
    author: { name: author, email: authorEmail },
    authored: utc(authored),
    committer: { name: committer, email: committerEmail },
    committed: utc(committed),
    message: message.length <= longestMessage ? message : `${message.slice(0, longestMessage)}…`,
  };
}

/** About how many characters a commit takes where it is told of. */
export function lengthOf({ message }: Commit): number {
  return 400 + message.length;
}

const longestSubject = 300;

/** The first line of a message, or as much of it as makes a line. */
export function subjectOf({ message }: Pick<Commit, 'message'>): string {
  const subject = message.split('\n', 1)[0]!;
  return subject.length <= longestSubject ? subject : `${subject.slice(0, longestSubject)}…`;
}
