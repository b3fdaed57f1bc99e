import {
  clockOf,
  daysIn,
  instantOf,
  isOnClock,
  zoneOf,
  type Clock,
  type Instant,
  type Limit,
} from './calendar-time.ts';

/**
 * The meaning of words such as "2 weeks ago", "yesterday 10am" or "20 January 2026": an instant, or words
 * that git reads with the same meaning. Undefined for words that git would ignore or read as another date.
 */
export function limitOfWords(value: string, limit: Limit): Instant | string | undefined {
  if (!/^[\w:+., /-]+$/.test(value)) return undefined;
  const words = ` ${value.toLowerCase()}`
    .replace(/([a-z])\.(?= |$)/g, '$1')
    .replace(/[ ,]+/g, ' ')
    .trimEnd();
  const time = timeIn(words);
  if (time === undefined) return undefined;
  const day = time.rest.trim();
  return (
    calendarDay(day, time, limit) ??
    // Git ignores a time zone unless the words name a day of the calendar.
    (time.zone === undefined ? (relativeDay(day, time, limit) ?? ago(day, time.clock)) : undefined)
  );
}

interface Time {
  readonly clock: Clock | undefined;
  /** The name of the time, such as `noon`. */
  readonly named?: string | undefined;
  readonly zone: number | undefined;
  /** The words without the time and the zone. */
  readonly rest: string;
}

const zonePattern = /(?<= |\d)(?:z|utc|gmt|[+-]\d\d(?::?\d\d)?)$/;
const clockPattern =
  /(?: at)? (?:(?<named>noon|midnight|tea)|(?<hour>\d{1,2})(?::(?<minute>\d\d)(?::(?<second>\d\d(?:\.\d+)?))?)?(?: ?(?<half>[ap])m)?)(?= |$)/g;
const namedHours: { readonly [name: string]: number } = { midnight: 0, noon: 12, tea: 17 };

/** Removes the time of day and the zone from words; undefined for an invalid time such as 25:00. */
function timeIn(words: string): Time | undefined {
  const [zoned] = /\d:\d/.test(words) ? (zonePattern.exec(words) ?? []) : [];
  const zone = zoned === undefined ? undefined : zoneOf(zoned);
  if (zoned !== undefined && zone === undefined) return undefined;
  const rest = zoned === undefined ? words : words.slice(0, -zoned.length).trimEnd();
  const found = [...rest.matchAll(clockPattern)].find(
    ({ groups }) => groups?.['named'] ?? groups?.['minute'] ?? groups?.['half'],
  );
  if (!found) return zone === undefined ? { clock: undefined, zone, rest } : undefined;
  const clock = clockOfMatch(found.groups!);
  const left = rest.slice(0, found.index) + rest.slice(found.index + found[0].length);
  return clock && { clock, named: found.groups?.['named'], zone, rest: left };
}

function clockOfMatch({
  named,
  hour,
  minute = '0',
  second = '0',
  half,
}: {
  readonly [name: string]: string | undefined;
}): Clock | undefined {
  const given = named === undefined ? Number(hour) : namedHours[named]!;
  if (half !== undefined && (given < 1 || given > 12)) return undefined;
  const hours = half === undefined ? given : (given % 12) + (half === 'p' ? 12 : 0);
  const clock = { hour: hours, minute: Number(minute), second: Number(second) };
  return isOnClock(clock) ? clock : undefined;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const month =
  '(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const weekday = '(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?';
const day = '(?:the )?(?<day>\\d{1,2})(?:st|nd|rd|th)?';
/**
 * Patterns for a day of a month, with a year and without. Each order of day and month has its own pattern,
 * because Node 22 does not accept two groups with the same name in one pattern.
 */
const daysOfMonths = [' (?<year>\\d{4})', ''].flatMap((year) =>
  [`${day}(?: of)? ${month}`, `${month} ${day}`].map(
    (inOrder) => new RegExp(`^(?:${weekday} )?${inOrder}${year}$`),
  ),
);
const onlyMonth = new RegExp(`^${month} (?<year>\\d{4})$`);
/** Git takes the first number as the month, unless it is above 12 or full stops separate the numbers. */
const inNumbers = /^(?<one>\d{1,2})(?<mark>[./-])(?<two>\d{1,2})\k<mark>(?<year>\d{4})$/;

/** The limit for a day of the calendar, or a whole month; undefined for other text. */
function calendarDay(text: string, { clock, zone }: Time, limit: Limit): Instant | string | undefined {
  const { one, two, mark, year: numberedYear } = inNumbers.exec(text)?.groups ?? {};
  if (numberedYear !== undefined) {
    const dayFirst = mark === '.' ? Number(two) <= 12 : Number(one) > 12;
    const [found, named] = dayFirst ? [one, two] : [two, one];
    const date = { year: Number(numberedYear), month: Number(named), day: Number(found) };
    return instantOf({ ...date, ...(clock ?? clockOf(limit)), zone }, limit);
  }
  const whole = clock ? undefined : onlyMonth.exec(text)?.groups;
  if (whole) {
    const date = { year: Number(whole['year']), month: monthOf(whole['month']!) };
    const edge = limit === 'start' ? 1 : daysIn(date.year, date.month);
    return instantOf({ ...date, day: edge, ...clockOf(limit) }, limit);
  }
  const found = daysOfMonths.map((pattern) => pattern.exec(text)).find((each) => each !== null);
  const { day: days, month: name, year } = found?.groups ?? {};
  if (days === undefined || name === undefined) return undefined;
  const date = { month: monthOf(name), day: Number(days) };
  if (year !== undefined)
    return instantOf({ year: Number(year), ...date, ...(clock ?? clockOf(limit)), zone }, limit);
  // Without a year, git takes the most recent year in which that month is not after the present one.
  const exists = date.day >= 1 && date.day <= daysIn(2001, date.month);
  return exists && zone === undefined
    ? `${months[date.month - 1]} ${date.day} ${shown(clock ?? clockOf(limit))}`
    : undefined;
}

function monthOf(name: string): number {
  return months.indexOf(name.slice(0, 3)) + 1;
}

const onlyWeekday = new RegExp(`^(?:last )?(${weekday})$`);

/**
 * The limit for a day relative to today, such as "yesterday" or "last friday", or a time of day; undefined
 * for other text.
 */
function relativeDay(text: string, { clock, named }: Time, limit: Limit): Instant | string | undefined {
  if (text === '' && clock) return named ?? shown(clock);
  if (text === 'never' && !clock) return { seconds: -1, isLocal: false };
  if (text === 'now' && !clock) return text;
  // Git would read the name of a weekday without "last" as today.
  const name = onlyWeekday.exec(text)?.[1];
  if (name === undefined && text !== 'today' && text !== 'yesterday') return undefined;
  return `${name === undefined ? text : `last ${name}`} ${shown(clock ?? clockOf(limit))}`;
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
  `(\\d{1,9}|an|last|${counts.join('|')}) (${Object.keys(unitSeconds).join('|')})s?(?: and)?`,
  'g',
);

/**
 * A time below this counts as before 1970. It is three days, since months and years differ in length and a
 * computed time may be some days off.
 */
const firstAgo = 3 * 86_400;
const maxCount = 99_999_999;

/** The limit for a time before the present, such as "2 weeks ago"; undefined for other text. */
function ago(text: string, clock: Clock | undefined): Instant | string | undefined {
  const spans = [...text.matchAll(span)].map(([, count = '', unit = '']) => ({
    count: countOf(count),
    unit,
  }));
  const rest = text.replaceAll(span, '').trim();
  if (spans.length === 0 || (rest !== '' && rest !== 'ago')) return undefined;
  const before = spans.reduce((sum, { count, unit }) => sum + count * unitSeconds[unit]!, 0);
  const instant = { seconds: Math.floor(Date.now() / 1000 - before), isLocal: false };
  // Git would read a time before 1970 as one in the far future, and a count of nine digits as a date.
  if (instant.seconds < firstAgo) return { ...instant, seconds: -1 };
  if (!clock && spans.every(({ unit }) => unit !== 'month' && unit !== 'year')) return instant;
  if (spans.some(({ count }) => count > maxCount)) return undefined;
  const words = spans.map(({ count, unit }) => `${count} ${unit}s`);
  return [...words, 'ago', ...(clock ? [shown(clock)] : [])].join(' ');
}

function countOf(text: string): number {
  if (/^\d/.test(text)) return Number(text);
  return text === 'an' || text === 'last' ? 1 : Math.max(counts.indexOf(text), 1);
}

/** The time as `hh:mm:ss`, without a fraction, which git ignores. */
function shown({ hour, minute, second }: Clock): string {
  return [hour, minute, Math.floor(second)].map((part) => String(part).padStart(2, '0')).join(':');
}
