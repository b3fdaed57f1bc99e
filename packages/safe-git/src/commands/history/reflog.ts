import { argv } from '../../argv.ts';
import type { Command, OutputReader } from '../../command.ts';
import { commitFields, utc } from '../../parse/nul-records.ts';
import { afterNuls, recordReader } from '../../parse/record-reader.ts';
import { quoted, textOf } from '../../safe-text.ts';

export interface ReflogEntry {
  /** The name of the entry, such as `HEAD@{2}`. */
  readonly selector: string;
  readonly hash: string;
  readonly date: string;
  /** How git describes the change of the branch or of HEAD, such as `reset: moving to HEAD~1`. */
  readonly action: string;
  readonly subject: string;
}

/** Selects reflog entries by time, author or text; without a filter, all are listed. */
export interface ReflogFilter {
  /** The earliest time of an entry, in seconds since 1970; `until` is the latest. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** A part of the name or address of the commit's author, in any letter case. */
  readonly author?: string | undefined;
  /** A part of the action or of the commit's message, in any letter case. */
  readonly grep?: string | undefined;
}

export interface ReflogPage extends ReflogFilter {
  readonly max: number;
  /** The number of matching entries on earlier pages. */
  readonly skip: number;
}

const format = ['%gD', '%H', '%gs', '%an <%ae>', '%B'];

/** Lists the reflog entries of HEAD or a branch, newest first. */
export function reflog(name: string, page: ReflogPage): Command<ReflogEntry[]> {
  return {
    // The filters are applied by the reader. If git filtered, it would number only the matching entries in
    // `HEAD@{n}`, so the numbers would name other entries.
    args: argv`log --walk-reflogs ${commitFields(format)} --end-of-options ${name} --`,
    refusals: [[/does not have any commits|log for .* is empty/, `No reflog: ${quoted(name)}`]],
    reader: () => reflogReader(page),
  };
}

/** Reads entries until the page is full, and stops git then. */
function reflogReader(page: ReflogPage): OutputReader<ReflogEntry[]> {
  const found: ReflogEntry[] = [];
  let index = 0;
  let matched = 0;
  return recordReader({
    endOf: (bytes, start) => afterNuls(bytes, start, format.length),
    add(record) {
      const [named = '', hash = '', action = '', author = '', message = ''] = textOf(record)
        .replace(/^\n/, '')
        .split('\0');
      const [, name = '', date = ''] = /^(.*)@\{(.*)\}$/s.exec(named) ?? [];
      const selector = `${name}@{${index++}}`;
      if (!matches(page, { date, author, text: `${action}\n${message}` })) return true;
      if (matched++ < page.skip) return true;
      const subject = message.trimStart().split('\n', 1)[0]!;
      found.push({ selector, hash, date: utc(date), action, subject });
      return found.length < page.max;
    },
    result: () => found,
  });
}

function matches(
  { since = -Infinity, until = Infinity, author = '', grep = '' }: ReflogFilter,
  found: { readonly date: string; readonly author: string; readonly text: string },
): boolean {
  const seconds = Date.parse(found.date) / 1000;
  // An entry whose date cannot be read matches only if neither `since` nor `until` is given.
  const isWithin = (since === -Infinity && until === Infinity) || (since <= seconds && seconds <= until);
  return isWithin && includes(found.author, author) && includes(found.text, grep);
}

function includes(text: string, part: string): boolean {
  return part === '' || text.toLowerCase().includes(part.toLowerCase());
}

/** Asks git how it reads a value of --since or --until. The result is in seconds since 1970. */
export function secondsOfLimit(limit: string): Command<number> {
  return {
    args: argv`rev-parse --since=${limit}`,
    parse: ({ stdout }) => Number(/^--max-age=(\d+)$/m.exec(stdout.toString('latin1'))?.[1]),
  };
}
