import type { Command } from './command.ts';
import { rows } from './records.ts';

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
}

const format = ['%H', '%P', '%an', '%ae', '%aI', '%cn', '%ce', '%cI', '%B'];

/** Commits, newest first. */
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
    maxBytes: 64 * 1024 * 1024,
    parse: ({ stdout }) => parseLog(stdout),
  };
}

export function parseLog(output: Buffer): Commit[] {
  return rows(output, format.length).map((row) => {
    const [hash, parents, author, authorEmail, authored, committer, committerEmail, committed, message] =
      row as [string, string, string, string, string, string, string, string, string];
    return {
      hash,
      parents: parents === '' ? [] : parents.split(' '),
      author: { name: author, email: authorEmail },
      authored: utc(authored),
      committer: { name: committer, email: committerEmail },
      committed: utc(committed),
      message: message.replace(/\n+$/, ''),
    };
  });
}

const longestSubject = 300;

/** The first line of a message, or as much of it as makes a line. */
export function subjectOf({ message }: Pick<Commit, 'message'>): string {
  const subject = message.split('\n', 1)[0]!;
  return subject.length <= longestSubject ? subject : `${subject.slice(0, longestSubject)}…`;
}

/** Git has written the zone of Greenwich in two ways over time. */
function utc(date: string): string {
  return date.replace(/\+00:00$/, 'Z');
}
