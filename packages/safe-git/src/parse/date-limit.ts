import { quoted } from '../safe-text.ts';
import { clockOf, daysIn, instantOf, zoneOf, type Instant, type Limit } from './calendar-time.ts';
import { limitOfWords } from './date-words.ts';

/**
 * Returns the argument of --since or --until for `value`: ISO 8601, seconds since 1970, or words that git
 * understands, such as "2 weeks ago". A day, month or year without a time means its first second as a
 * `start`, its last as an `end`; git would take the current time of day. Throws for a date that git would
 * misread, and for an end before 1970.
 */
export function dateLimit(value: string, limit: Limit): string {
  const read =
    value.length > 60
      ? undefined
      : (instantOfSeconds(value) ?? instantOfNumbers(value, limit) ?? limitOfWords(value, limit));
  if (read === undefined)
    throw new Error(
      `Invalid date: ${quoted(value)}; expected ISO 8601 such as 2026-01-31 or 2026-01-31T12:00, or words such as "2 weeks ago"`,
    );
  if (typeof read === 'string') return read;
  if (read.seconds < 0 && limit === 'end')
    throw new Error(`Invalid end date: ${quoted(value)} is before 1970, where git has no commits`);
  return argumentOf(read);
}

/** Local times that git can convert in every zone: 1970-01-02 to 2099-12-31. Git reads others as UTC. */
const firstLocal = 86_400;
const lastLocal = Date.UTC(2100, 0, 1) / 1000 - 1;

function argumentOf({ seconds, isLocal }: Instant): string {
  if (isLocal && firstLocal <= seconds && seconds <= lastLocal)
    return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
  return `@${Math.max(seconds, 0)} +0000`;
}

function instantOfSeconds(value: string): Instant | undefined {
  const [, seconds] = /^(?:@(?=\d{1,12}$)|(?=\d{9,11}$))(\d+)$/.exec(value) ?? [];
  return seconds === undefined ? undefined : { seconds: Number(seconds), isLocal: false };
}

const numbers =
  /^(\d{4})(?:([-/.])(\d{1,2})(?:\2(\d{1,2})(?:[T ](\d\d)(?::(\d\d)(?::(\d\d(?:[.,]\d+)?))?)? ?(Z|[+-]\d\d(?::?\d\d)?)?)?)?)?$/i;

function instantOfNumbers(value: string, limit: Limit): Instant | undefined {
  const parts = numbers.exec(value.replace(/^(\d{4})(\d\d)(\d\d)(?=$|T)/i, '$1-$2-$3'));
  if (!parts) return undefined;
  const [, years, , months, days, hours, minutes = '0', seconds = '0', zones] = parts;
  const year = Number(years);
  const month = Number(months ?? (limit === 'start' ? 1 : 12));
  const day = Number(days ?? (limit === 'start' ? 1 : daysIn(year, month)));
  const zone = zones === undefined ? undefined : zoneOf(zones);
  if (zones !== undefined && zone === undefined) return undefined;
  const clock =
    hours === undefined
      ? clockOf(limit)
      : { hour: Number(hours), minute: Number(minutes), second: Number(seconds.replace(',', '.')) };
  return instantOf({ year, month, day, ...clock, zone }, limit);
}
