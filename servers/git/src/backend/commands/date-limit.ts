import { quoted } from '../display-name.ts';

/**
 * Returns the argument of --since or --until for `value`: ISO 8601, seconds since 1970, or the words of git such
 * as "2 weeks ago". A day, month or year without a time means its first second as a `start`, its last as an
 * `end`; git would take the current time of day. Throws if git would misread it.
 */
export function dateLimit(value: string, limit: 'start' | 'end'): string {
  const date = value.length > 60 ? undefined : (ofNumbers(value, limit) ?? ofWords(value, limit));
  if (date !== undefined) return date;
  throw new Error(
    `Invalid date: ${quoted(value)}; expected ISO 8601 such as 2026-01-31 or 2026-01-31T12:00, or words such as "2 weeks ago"`,
  );
}

const numbers =
  /^(\d{4})(?:([-/.])(\d{1,2})(?:\2(\d{1,2})(?:[T ](\d\d(?::\d\d(?::\d\d(?:\.\d+)?)?)?) ?(Z|[+-]\d\d:?\d\d)?)?)?)?$/i;

function ofNumbers(value: string, limit: 'start' | 'end'): string | undefined {
  if (/^@?\d{9,11}$/.test(value)) return value;
  const [, year, , month, day, time, zone] =
    numbers.exec(value.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')) ?? [];
  if (year === undefined) return undefined;
  const first = dayOf(Number(year), Number(month ?? 1), Number(day ?? 1));
  if (first === undefined) return undefined;
  if (time !== undefined) return `${first} ${time.includes(':') ? time : `${time}:00`}${zone ?? ''}`;
  if (limit === 'start') return `${first} 00:00:00`;
  const last = dayOf(
    Number(year),
    Number(month ?? 12),
    Number(day ?? daysIn(Number(year), Number(month ?? 12))),
  );
  return `${last} 23:59:59`;
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** Undefined for a day that does not exist, which git would take for another. */
function dayOf(year: number, month: number, day: number): string | undefined {
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  return [year, month, day].map((part) => String(part).padStart(2, '0')).join('-');
}

const months = [
  'january|jan',
  'february|feb',
  'march|mar',
  'april|apr',
  'may',
  'june|jun',
  'july|jul',
  'august|aug',
  'september|sept|sep',
  'october|oct',
  'november|nov',
  'december|dec',
];
const anyMonth = months.join('|');
const weekday = '(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?';

const onlyMonth = new RegExp(`^(${anyMonth})[ ,]+(\\d{4})$`, 'i');
const onlyWeekday = new RegExp(`^(?:last )?(${weekday})((?: \\d\\d?(?::\\d\\d){0,2} ?(?:[ap]m)?)?)$`, 'i');
const units = '(?:second|minute|hour|day|week|month|year)s?';
/** The words that git knows. It passes over others, and the date is then another one. */
const word = new RegExp(
  `^(?:${anyMonth}|${weekday}|${units}|last|ago|today|yesterday|now|never|noon|midnight|tea|[ap]m|st|nd|rd|th|of|at|and|an?|one|two|three|four|five|six|seven|eight|nine|ten|T|Z|UTC|GMT)$`,
  'i',
);
const day = new RegExp(`today|yesterday|\\b(?:${anyMonth})\\b|\\d[./]\\d\\d?[./]\\d{4}`, 'i');
const time = /\d:\d|\d ?[ap]m|noon|midnight|tea|ago/i;

function ofWords(value: string, limit: 'start' | 'end'): string | undefined {
  if (!/^[\w:+., /-]+$/.test(value) || value.startsWith('-') || /^\d{4}/.test(value)) return undefined;
  const named = value.match(/[a-z]+/gi) ?? [];
  if (!named.every((text) => word.test(text))) return undefined;
  const [, month, year] = onlyMonth.exec(value) ?? [];
  if (month !== undefined) {
    const index = months.findIndex((names) => names.split('|').includes(month.toLowerCase()));
    return ofNumbers(`${year}-${index + 1}`, limit);
  }
  const [, name, at] = onlyWeekday.exec(value) ?? [];
  // git takes a day of the week alone for today.
  if (name !== undefined) return `last ${name} ${at || timeOf(limit)}`;
  if (time.test(value)) return value;
  if (day.test(value)) return `${value} ${timeOf(limit)}`;
  return named.length === 0 ? undefined : value;
}

function timeOf(limit: 'start' | 'end'): string {
  return limit === 'start' ? '00:00:00' : '23:59:59';
}
