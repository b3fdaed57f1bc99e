import { argv } from '../../argv.ts';
import type { Command, OutputReader, Refusal } from '../../command.ts';
import { quoted, textOf } from '../../safe-text.ts';
import { lineRefusals } from '../../parse/line-range.ts';
import { missing } from '../../missing.ts';
import { commitFields, utc } from '../../parse/nul-records.ts';

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
  /** A revision or a range. Defaults to HEAD. */
  readonly from?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly author?: string | undefined;
  readonly grep?: string | undefined;
  readonly path?: string | undefined;
  /**
   * Whether to follow the file at `path` through renames: commits that changed it under former names are
   * listed too.
   */
  readonly follow?: boolean;
  /** Only commits that change the number of occurrences of this text. */
  readonly changedText?: string | undefined;
  /** Only commits with a line, added or removed, that matches this extended regular expression. */
  readonly changedRegexp?: string | undefined;
  /** Only commits that change these lines of `path`: a range or the name of a function. */
  readonly lines?: string | undefined;
  readonly onlyAdded?: boolean;
  /** Whether to start at all branches, remote branches and tags instead of at `from`. */
  readonly all?: boolean;
  /** Whether the caller shows whole messages instead of subjects, so that fewer commits fit on a page. */
  readonly full?: boolean;
  /** The list ends after the commit with which it exceeds this number of characters. Defaults to no limit. */
  readonly maxCharacters?: number;
}

/** The fields of a commit, in the order in which `parseCommit` reads them. */
export const commitFormat = ['%H', '%P', '%an', '%ae', '%ad', '%cn', '%ce', '%cd', '%B'];

const maxMessageLength = 16 * 1024;

/** Lists commits, newest first. Messages are cut at 16 Ki characters. */
export function log(options: LogOptions): Command<Commit[]> {
  return {
    args: logArgs(options, [...commitFields(commitFormat), '--no-patch']),
    refusals: logRefusals(options),
    reader: () => new LogReader(options.maxCharacters),
  };
}

/**
 * The arguments of the `git log` that lists the commits that `options` select; `format` has the output
 * options.
 */
export function logArgs(options: LogOptions, format: readonly string[]): string[] {
  const { max, skip = 0, from = 'HEAD', since, until, author, grep, path, lines, all } = options;
  const start = all ? ['--branches', '--remotes', '--tags'] : ['--end-of-options', from];
  return argv`log --max-count=${max} --skip=${skip} ${format} --no-textconv --no-ext-diff
    --since=${since} --until=${until} --author=${author} --grep=${grep}
    ${(author ?? grep) === undefined ? [] : ['--fixed-strings', '--regexp-ignore-case']}
    -S${options.changedText} -G${options.changedRegexp} ${options.onlyAdded ? ['--no-renames', '--diff-filter=A'] : []}
    ${options.follow && '--follow'} ${lines !== undefined && [`-L${lines}:${path}`]} ${start} --
    ${lines === undefined && path}`;
}

export function logRefusals({ path, changedRegexp }: LogOptions): readonly Refusal[] {
  return [
    ...lineRefusals,
    [/There is no path/, missing('file', path ?? '')],
    [
      /invalid regex|Invalid (preceding|regular)|Unmatched/i,
      `Invalid regular expression: ${quoted(changedRegexp ?? '')}`,
    ],
  ];
}

/** Reads commits from git's output as it arrives. Each field of `commitFormat` ends with a NUL. */
export class LogReader implements OutputReader<Commit[]> {
  readonly #commits: Commit[] = [];
  readonly #maxCharacters: number;
  #characters = 0;
  /** The bytes read so far of the current commit. `#fields` is how many of its fields are complete. */
  #chunks: Buffer[] = [];
  #fields = 0;

  constructor(maxCharacters = Infinity) {
    this.#maxCharacters = maxCharacters;
  }

  push(chunk: Buffer): boolean {
    let start = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, end + 1)) {
      if (++this.#fields < commitFormat.length) continue;
      this.#add(chunk.subarray(start, end));
      start = end + 1;
      if (this.#characters > this.#maxCharacters) return false;
    }
    if (start < chunk.length) this.#chunks.push(chunk.subarray(start));
    return true;
  }

  result(): Commit[] {
    return this.#commits;
  }

  #add(last: Buffer): void {
    const bytes = this.#chunks.length === 0 ? last : Buffer.concat([...this.#chunks, last]);
    const commit = parseCommit(textOf(bytes));
    this.#chunks = [];
    this.#fields = 0;
    this.#characters += leastLengthOf(commit);
    this.#commits.push(commit);
  }
}

/** Parses the NUL-separated fields of a commit. The message has at most `maxLength` characters. */
export function parseCommit(record: string, maxLength = maxMessageLength): Commit {
  const [hash = '', parents = '', author = '', authorEmail = '', authored = '', ...rest] = record.split('\0');
  const [committer = '', committerEmail = '', committed = '', text = ''] = rest;
  const message = text.replace(/\n+$/, '');
  return {
    hash,
    parents: parents === '' ? [] : parents.split(' '),
    author: { name: author, email: authorEmail },
    authored: utc(authored),
    committer: { name: committer, email: committerEmail },
    committed: utc(committed),
    message: message.length <= maxLength ? message : `${message.slice(0, maxLength)}…`,
  };
}

/** The minimum length of a commit in an answer, in characters. */
function leastLengthOf({ message }: Commit): number {
  return 50 + message.length;
}

export function lineLengthOf(commit: Commit): number {
  const text = commit.author.name + subjectOf(commit);
  const escaped = text.replaceAll(/[^\P{C}]|\\/gu, '').length;
  return 26 + text.length + 9 * (text.length - escaped);
}

const maxSubjectLength = 300;

export function subjectOf({ message }: Pick<Commit, 'message'>): string {
  const subject = message.split('\n', 1)[0]!;
  return subject.length <= maxSubjectLength ? subject : `${subject.slice(0, maxSubjectLength)}…`;
}
