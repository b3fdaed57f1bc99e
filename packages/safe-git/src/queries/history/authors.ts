import { argv } from '../../argv.ts';
import type { Command } from '../../command.ts';
import { parseBlame } from '../../commands/history/blame.ts';
import { readObject } from '../../commands/objects/cat-file.ts';
import { textOf } from '../../safe-text.ts';
import { commitFields, utc } from '../../parse/nul-records.ts';
import { afterNuls, recordReader } from '../../parse/record-reader.ts';
import type { Repository } from '../../repository.ts';

/** The commits of one author. An author is identified by the email address. */
export interface Author {
  /** The name in the newest commit. */
  readonly name: string;
  readonly email: string;
  readonly commits: number;
  /** The dates of the first and the last commit, as ISO 8601. */
  readonly first: string;
  readonly last: string;
  /** How many lines of the file were last changed by this author; undefined if no file was requested. */
  readonly lines?: number | undefined;
}

export interface AuthorsOptions {
  readonly from: string;
  readonly path?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

type Counted = { -readonly [Key in keyof Author]: Author[Key] };

/**
 * Returns the authors of the commits, those with the most commits first. For a file, the commits before it
 * was renamed are included, and the lines of each author are counted.
 */
export async function readAuthors(repository: Repository, options: AuthorsOptions): Promise<Author[]> {
  const { from, path } = options;
  const object = path === undefined ? undefined : await repository.run(readObject(`${from}:${path}`, 0));
  const isFile = object?.type === 'blob';
  const authors = await repository.run(authorsOf(options, isFile));
  const owned = isFile ? await repository.run(linesByAuthor(path!, from)) : undefined;
  const all = [...authors.values()].map((author) => ({
    ...author,
    ...(owned && { lines: owned.get(author.email.toLowerCase()) ?? 0 }),
  }));
  return all.toSorted((a, b) => b.commits - a.commits || b.last.localeCompare(a.last));
}

function authorsOf(
  { from, path, since, until }: AuthorsOptions,
  follow: boolean,
): Command<Map<string, Counted>> {
  const authors = new Map<string, Counted>();
  return {
    args: argv`log ${commitFields(['%an', '%ae', '%ad'])} --since=${since} --until=${until}
      ${follow && '--follow'} --end-of-options ${from} -- ${path}`,
    reader: () =>
      recordReader({
        endOf: (bytes, start) => afterNuls(bytes, start, 3),
        add: (record) => {
          const [name = '', email = '', date = ''] = textOf(record).split('\0');
          count(authors, name, email, utc(date));
          return true;
        },
        result: () => authors,
      }),
  };
}

function count(authors: Map<string, Counted>, name: string, email: string, date: string): void {
  const key = email.toLowerCase();
  const known = authors.get(key);
  if (known === undefined) {
    authors.set(key, { name, email, commits: 1, first: date, last: date });
    return;
  }
  known.commits++;
  if (Date.parse(date) < Date.parse(known.first)) known.first = date;
  if (Date.parse(date) > Date.parse(known.last)) known.last = date;
}

/** How many lines of a file each author has, by address; undefined if the file is too large. */
function linesByAuthor(path: string, revision: string): Command<Map<string, number> | undefined> {
  return {
    // `git blame` has no --end-of-options; a revision that was checked cannot be an option.
    args: argv`blame --porcelain --no-textconv --encoding=UTF-8 ${revision} -- ${path}`,
    parse: ({ stdout, truncated }) => {
      if (truncated) return undefined;
      const owned = new Map<string, number>();
      for (const { email, lines } of parseBlame(stdout)) {
        const key = email.toLowerCase();
        owned.set(key, (owned.get(key) ?? 0) + lines.length);
      }
      return owned;
    },
  };
}
