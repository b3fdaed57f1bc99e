import { quoted } from '../safe-text.ts';
import { calendarDate } from './calendar-date.ts';
import { wordsOf, type Instant, type Limit } from './date-words.ts';
import { relativeDate } from './relative-date.ts';

/**
 * Returns the argument of --since or --until: ISO 8601, seconds since 1970, or words such as "2 weeks ago". A
 * date without time means its first second as `start`, its last as `end`; git would use the present time of
 * day. Throws for a date that git would misread, and for an end before 1970.
 */
export function dateLimit(value: string, limit: Limit): string {
  if (/^(@\d{1,12}|\d{9,11})$/.test(value))
    return argumentOf({ seconds: Number(value.replace('@', '')), isLocal: false });
  const words = value.length <= 60 && /^[\w:+., /-]+$/.test(value) ? wordsOf(value) : undefined;
  const read = words && (calendarDate(words, limit) ?? relativeDate(words, limit));
  if (read === undefined)
    throw new Error(
      `Invalid date: ${quoted(value)}; expected ISO 8601 such as 2026-01-31 or 2026-01-31T12:00, or words such as "2 weeks ago"`,
    );
  if (typeof read === 'string') return read;
  if (read.seconds < 0 && limit === 'end')
    throw new Error(`Invalid end date: ${quoted(value)} is before 1970, where git has no commits`);
  return argumentOf(read);
}

/** The local times that git can convert to UTC in every time zone: 1970-01-02 to 2099-12-31. */
const firstLocal = 86_400;
const lastLocal = Date.UTC(2100, 0, 1) / 1000 - 1;

function argumentOf({ seconds, isLocal }: Instant): string {
  if (isLocal && firstLocal <= seconds && seconds <= lastLocal)
    return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
  return `@${Math.max(seconds, 0)} +0000`;
}
