import { clockText, type DateWords, type Instant, type Limit } from './date-words.ts';

/**
 * Returns the time for words such as "yesterday", "last friday" or "2 weeks ago", or for a time of day;
 * `limit` selects the first or last second of a day. Undefined for other text, and with a time zone, which
 * git would ignore.
 */
export function relativeDate(words: DateWords, limit: Limit): Instant | string | undefined {
  const { day, clock, time, zone } = words;
  if (zone !== undefined) return undefined;
  if (day === '') return time || undefined;
  if (day === 'now' && clock === undefined) return day;
  if (day === 'never' && clock === undefined) return { seconds: -1, isLocal: false };
  // "last" is always added to a weekday, because git reads a weekday without "last" as today.
  const [, weekday] = /^(?:last )?(sun|mon|tue|wed|thu|fri|sat)$/.exec(day) ?? [];
  if (weekday !== undefined || day === 'today' || day === 'yesterday')
    return `${weekday ? `last ${weekday}` : day} ${clockText(clock ?? (limit === 'start' ? 0 : 86_399))}`;
  return ago(day, clock);
}

const counts = ['a', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const unitSeconds: { readonly [unit: string]: number } = {
  second: 1,
  minute: 60,
  hour: 3_600,
  day: 86_400,
  week: 604_800,
  month: 2_629_746,
  year: 31_556_952,
};
const span = new RegExp(
  `(\\d{1,9}|an|last|${counts.join('|')}) (${Object.keys(unitSeconds).join('|')})s?`,
  'g',
);

/**
 * The earliest accepted time, in seconds since 1970. It is three days after the start of 1970, because a
 * month counts with its average length here and with its own length in git.
 */
const firstAgo = 3 * 86_400;
const maxCount = 99_999_999;

function ago(text: string, clock: number | undefined): Instant | string | undefined {
  const spans = Array.from(text.matchAll(span), ([, count = '', unit = '']) => ({
    count: /^\d/.test(count) ? Number(count) : Math.max(counts.indexOf(count), 1),
    unit,
  }));
  if (spans.length === 0 || !/^(ago)?$/.test(text.replaceAll(span, '').trim())) return undefined;
  const before = spans.reduce((sum, { count, unit }) => sum + count * unitSeconds[unit]!, 0);
  const seconds = Math.floor(Date.now() / 1000 - before);
  // A time before 1970 becomes -1, because git would read it as one far in the future. A count of nine digits
  // is not passed on to git, which would read it as a date.
  if (seconds < firstAgo) return { seconds: -1, isLocal: false };
  if (clock === undefined && spans.every(({ unit }) => unit !== 'month' && unit !== 'year'))
    return { seconds, isLocal: false };
  if (spans.some(({ count }) => count > maxCount)) return undefined;
  const words = spans.map(({ count, unit }) => `${count} ${unit}s`);
  return [...words, 'ago', ...(clock === undefined ? [] : [clockText(clock)])].join(' ');
}
