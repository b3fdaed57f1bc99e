import { clockText, type DateWords, type Instant, type Limit } from './date-words.ts';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * If two numbers come before a year, git reads the first as the day when full stops separate them, otherwise
 * as the month. If there is no such month, git swaps the numbers.
 */
const forms = [
  /^(?<year>\d{4})(?:([-/.])(?<month>\d{1,2})(?:\2(?<day>\d{1,2}))?)?$/,
  /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)$/,
  /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})$/,
  /^(?<month>\d{1,2})([-/.])(?<day>\d{1,2})\2(?<year>\d{4})$/,
  /^(?<day>\d{1,2})([-/])(?<month>\d{1,2})\2(?<year>\d{4})$/,
  /^(?:(?:sun|mon|tue|wed|thu|fri|sat) )?(?<day>\d{1,2}) (?<month>[a-z]{3})(?: (?<year>\d{4}))?$/,
  /^(?:(?:sun|mon|tue|wed|thu|fri|sat) )?(?<month>[a-z]{3}) (?<day>\d{1,2})(?: (?<year>\d{4}))?$/,
  /^(?<month>[a-z]{3}) (?<year>\d{4})$/,
];

/**
 * Returns the first second of a day, month or year (`limit` is `start`) or its last (`end`). If the date has
 * a time of day, returns that time. Undefined for a text that is not a date of the calendar.
 */
export function calendarDate(words: DateWords, limit: Limit): Instant | string | undefined {
  const dates = forms.map((form) => limitOf(words, form.exec(words.day)?.groups, limit));
  return dates.find((date) => date !== undefined);
}

function limitOf(
  { clock, zone }: DateWords,
  { year, month, day }: { readonly [part: string]: string | undefined } = {},
  limit: Limit,
): Instant | string | undefined {
  if (year === undefined && month === undefined) return undefined;
  // Without a year, git chooses the latest year for which the date is not in the future. Only day and month
  // are checked here.
  const [years, days] = [Number(year ?? 2001), Number(day ?? 1)];
  const monthNumber = months.indexOf(month ?? '') + 1 || Number(month ?? 1);
  const start = secondsAt(years, monthNumber, days);
  const date = new Date(start * 1000);
  if (date.getUTCMonth() !== monthNumber - 1 || date.getUTCDate() !== days) return undefined;
  if (clock !== undefined && day === undefined) return undefined;
  if (year === undefined) {
    const edge = limit === 'start' ? 0 : 86_399;
    return zone === undefined ? `${month} ${days} ${clockText(clock ?? edge)}` : undefined;
  }
  if (clock !== undefined) {
    const seconds = start + clock - (zone ?? 0) * 60;
    return {
      seconds: limit === 'start' ? Math.ceil(seconds) : Math.floor(seconds),
      isLocal: zone === undefined,
    };
  }
  const next =
    day !== undefined
      ? start + 86_400
      : month !== undefined
        ? secondsAt(years, monthNumber + 1, 1)
        : secondsAt(years + 1, 1, 1);
  return { seconds: limit === 'start' ? start : next - 1, isLocal: true };
}

/** Date.UTC is not used, because it reads a year below 100 as one of the 20th century. */
function secondsAt(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day) / 1000;
}
