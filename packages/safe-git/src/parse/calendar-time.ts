/** The end of a time span, such as a day, that a limit means: its first or its last second. */
export type Limit = 'start' | 'end';

export interface Clock {
  readonly hour: number;
  readonly minute: number;
  /** The seconds, with their fraction. */
  readonly second: number;
}

/** A date and a time of day, as written. */
export interface CalendarTime extends Clock {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** The offset from UTC in minutes, positive to the east; undefined for a local time. */
  readonly zone?: number | undefined;
}

/** A time in seconds since 1970; a local time is counted as if it were in UTC. */
export interface Instant {
  readonly seconds: number;
  readonly isLocal: boolean;
}

/** The time of day at which a day without a time starts or ends. */
export function clockOf(limit: Limit): Clock {
  return limit === 'start' ? { hour: 0, minute: 0, second: 0 } : { hour: 23, minute: 59, second: 59 };
}

export function daysIn(year: number, month: number): number {
  return new Date(utcDay(year, month + 1, 0)).getUTCDate();
}

/**
 * Converts a calendar time; undefined for a day or a time that does not exist. 24:00 and leap seconds are
 * accepted. A fraction is rounded up for a `start` and down for an `end`.
 */
export function instantOf(time: CalendarTime, limit: Limit): Instant | undefined {
  const { year, month, day, hour, minute, second, zone } = time;
  const isDay = month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
  if (!isDay || !isOnClock(time)) return undefined;
  const exact = utcDay(year, month, day) / 1000 + (hour * 60 + minute - (zone ?? 0)) * 60 + second;
  return { seconds: limit === 'start' ? Math.ceil(exact) : Math.floor(exact), isLocal: zone === undefined };
}

export function isOnClock({ hour, minute, second }: Clock): boolean {
  if (hour === 24) return minute === 0 && second === 0;
  return hour < 24 && minute < 60 && (second < 60 || (second < 61 && minute === 59));
}

const maxOffset = 14 * 60;

/**
 * The offset of `Z`, `UTC`, `GMT` or a text such as `+02:00` in minutes, positive to the east; undefined for
 * an offset of more than 14 hours.
 */
export function zoneOf(text: string): number | undefined {
  if (/^(z|utc|gmt)$/i.test(text)) return 0;
  const [, sign, hours, minutes = '0'] = /^([+-])(\d\d)(?::?(\d\d))?$/.exec(text) ?? [];
  const offset = Number(hours) * 60 + Number(minutes);
  if (sign === undefined || Number(minutes) > 59 || offset > maxOffset) return undefined;
  return sign === '-' ? -offset : offset;
}

/** Date.UTC would take a year below 100 for one of the 20th century. */
function utcDay(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}
