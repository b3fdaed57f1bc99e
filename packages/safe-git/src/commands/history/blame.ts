import { argv } from '../../argv.ts';
import type { Command } from '../../command.ts';
import { quoted, textOf } from '../../safe-text.ts';
import { missing } from '../../missing.ts';
import { lineRefusals } from '../../parse/line-range.ts';
import { zonedDate } from '../../parse/nul-records.ts';

export interface BlameHunk {
  readonly hash: string;
  readonly author: string;
  readonly email: string;
  readonly date: string;
  readonly subject: string;
  /** The number of the first line, from 1. */
  readonly line: number;
  readonly lines: readonly string[];
  /** Whether the known history ends at this commit. In a shallow clone, the lines may be older than it. */
  readonly boundary?: true;
}

export interface BlameOptions {
  readonly path: string;
  readonly revision?: string | undefined;
  /** The lines to read, as a value of git's option `-L`. */
  readonly range: string;
}

/** Finds the commit that last changed each line. Lines not yet committed have a hash of zeros. */
export function blame({ path, revision, range }: BlameOptions): Command<BlameHunk[]> {
  return {
    // `git blame` has no --end-of-options, but `revision` was checked, so it cannot be an option.
    args: argv`blame --porcelain --no-textconv --encoding=UTF-8 -L${range} ${revision} -- ${path}`,
    refusals: [
      [
        /no such path/,
        missing('file', path, {
          revision,
          message: `No such file in ${quoted(revision ?? 'HEAD')}: ${quoted(path)}`,
        }),
      ],
      ...lineRefusals,
    ],
    parse: ({ stdout }) => parseBlame(stdout),
  };
}

type Origin = { -readonly [Key in keyof Omit<BlameHunk, 'hash' | 'line' | 'lines'>]: BlameHunk[Key] };

export function parseBlame(output: Buffer): BlameHunk[] {
  const origins = new Map<string, Origin>();
  const hunks: (BlameHunk & { lines: string[] })[] = [];
  let hash = '';
  let line = 0;
  let time = 0;
  for (const text of textOf(output).split('\n')) {
    // Only the line with the text of the file starts with a tab.
    if (text.startsWith('\t')) {
      const last = hunks.at(-1);
      if (last && last.hash === hash && last.line + last.lines.length === line)
        last.lines.push(text.slice(1));
      else hunks.push({ hash, ...origins.get(hash)!, line, lines: [text.slice(1)] });
      continue;
    }
    const start = /^([0-9a-f]{40,64}) \d+ (\d+)( \d+)?$/.exec(text);
    if (start) {
      hash = start[1]!;
      line = Number(start[2]);
      if (!origins.has(hash)) origins.set(hash, { author: '', email: '', date: '', subject: '' });
      continue;
    }
    const origin = origins.get(hash);
    if (!origin) continue;
    const [, key, value = ''] = /^(\S+) ?([^]*)$/.exec(text) ?? [];
    if (key === 'boundary') origin.boundary = true;
    else if (key === 'author') origin.author = value;
    else if (key === 'author-mail') origin.email = value.replace(/^<|>$/g, '');
    else if (key === 'author-time') time = Number(value);
    else if (key === 'author-tz') origin.date = zonedDate(time, value);
    else if (key === 'summary') origin.subject = value;
  }
  return hunks;
}
