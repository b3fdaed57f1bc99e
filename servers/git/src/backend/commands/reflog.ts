import type { Command, OutputReader } from '../command.ts';
import { commitFields } from './commit-format.ts';
import { utc } from './nul-records.ts';
import { quoted, textOf } from '../display-name.ts';

/** A movement of HEAD or of a branch. */
export interface ReflogEntry {
  /** Such as `HEAD@{2}`. */
  readonly selector: string;
  /** The commit to which it moved. */
  readonly hash: string;
  /** The time of the movement. */
  readonly date: string;
  /** What moved it, such as `reset: moving to HEAD~1`. */
  readonly action: string;
  readonly subject: string;
}

/** The movements to list; without a filter, all. */
export interface ReflogFilter {
  /** Seconds since 1970. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Part of the name or the address of the author of the commit, in any case. */
  readonly author?: string | undefined;
  /** Part of the action, or of the message of the commit, in any case. */
  readonly grep?: string | undefined;
}

export interface ReflogPage extends ReflogFilter {
  readonly max: number;
  /** The number of matching movements on earlier pages. */
  readonly skip: number;
}

const format = ['%gD', '%H', '%gs', '%an <%ae>', '%B'];

/** Lists the movements of HEAD or a branch, newest first. */
export function reflog(name: string, page: ReflogPage): Command<ReflogEntry[]> {
  return {
    // With filters of its own, git would number the matching movements only.
    args: ['log', '--walk-reflogs', ...commitFields(format), '--end-of-options', name, '--'],
    refusals: [[/does not have any commits|log for .* is empty/, `No reflog: ${quoted(name)}`]],
    reader: () => new ReflogReader(page),
  };
}

/** Reads movements as they arrive, up to the last one of a page. */
class ReflogReader implements OutputReader<ReflogEntry[]> {
  readonly #page: ReflogPage;
  readonly #found: ReflogEntry[] = [];
  #rest: Buffer = Buffer.alloc(0);
  #index = 0;
  #matched = 0;

  constructor(page: ReflogPage) {
    this.#page = page;
  }

  push(chunk: Buffer): boolean {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    let start = 0;
    for (let end = recordEnd(bytes, start); end !== -1; end = recordEnd(bytes, start)) {
      this.#add(textOf(bytes.subarray(start, end)));
      start = end + 1;
      if (this.#found.length === this.#page.max) return false;
    }
    this.#rest = bytes.subarray(start);
    return true;
  }

  result(): ReflogEntry[] {
    return this.#found;
  }

  #add(record: string): void {
    const [named, hash, action, author, message] = record.replace(/^\n/, '').split('\0') as [
      string,
      string,
      string,
      string,
      string,
    ];
    const [, name = '', date = ''] = /^(.*)@\{(.*)\}$/s.exec(named) ?? [];
    const index = this.#index++;
    if (!matches(this.#page, { date, author, text: `${action}\n${message}` })) return;
    if (this.#matched++ < this.#page.skip) return;
    const subject = message.trimStart().split('\n', 1)[0]!;
    this.#found.push({ selector: `${name}@{${index}}`, hash, date: utc(date), action, subject });
  }
}

/** The index of the NUL after the last field of a movement; -1 if it has not arrived. */
function recordEnd(bytes: Buffer, start: number): number {
  let end = start - 1;
  for (let field = 0; field < format.length; field++) {
    end = bytes.indexOf(0, end + 1);
    if (end === -1) return -1;
  }
  return end;
}

function matches(
  { since = -Infinity, until = Infinity, author = '', grep = '' }: ReflogFilter,
  found: { readonly date: string; readonly author: string; readonly text: string },
): boolean {
  const seconds = Date.parse(found.date) / 1000;
  // A date that cannot be read is outside of every limit.
  const isWithin = (since === -Infinity && until === Infinity) || (since <= seconds && seconds <= until);
  return isWithin && includes(found.author, author) && includes(found.text, grep);
}

function includes(text: string, part: string): boolean {
  return part === '' || text.toLowerCase().includes(part.toLowerCase());
}

/** The seconds since 1970 that git reads in an argument of --since or --until. */
export function secondsOfLimit(limit: string): Command<number> {
  return {
    args: ['rev-parse', `--since=${limit}`],
    parse: ({ stdout }) => Number(/^--max-age=(\d+)$/m.exec(stdout.toString('latin1'))?.[1]),
  };
}
