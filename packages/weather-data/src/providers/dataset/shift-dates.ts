import { isObject } from '@mcp/kit';
import type { Zone } from '../../model/time-zone.ts';

interface ShiftOptions {
  /** The time at which a document was current, in seconds since 1970. */
  readonly madeAt: number;
  readonly now: number;
  readonly zone: Zone;
}

const daySeconds = 86_400;

/**
 * Moves times by whole local days, so that the day of `madeAt` becomes today. Clock times stay, even if the
 * UTC offset has changed. Times of past events that would be in the future become `now`.
 */
export function shiftToToday(
  json: unknown,
  { madeAt, now, zone }: ShiftOptions,
): { json: unknown; seconds: number } {
  const days = Math.round(
    (Date.parse(zone.dateAt(now)) - Date.parse(zone.dateAt(madeAt))) / 1000 / daySeconds,
  );
  const offset = zone.offsetAt(zone.startOf(zone.dateAt(now)) + daySeconds / 2);
  const seconds = days * daySeconds - (offset - zone.offsetAt(madeAt));
  return { json: shift(json, '', { seconds, offset, zone, now, isPast: false }), seconds };
}

interface Shift {
  readonly seconds: number;
  readonly offset: number;
  readonly zone: Zone;
  readonly now: number;
  /** Whether the value is a time that must not be in the future. */
  readonly isPast: boolean;
}

/** Names of members that contain a time, or a list of times, in seconds since 1970. */
const instants = new Set(['time', 'sunrise', 'sunset']);

/** Names of members that contain a time that must not be in the future, or an object with such times. */
const past = new Set(['current', 'timestamp', 'updateTime', 'generatedAt', 'updated', 'sent', 'effective']);

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)$/;

function shift(value: unknown, name: string, by: Shift): unknown {
  if (Array.isArray(value)) return value.map((each) => shift(each, name, by));
  const isPast = by.isPast || past.has(name);
  if (isObject(value)) {
    const members = Object.entries(value);
    return Object.fromEntries(members.map(([key, each]) => [key, shift(each, key, { ...by, isPast })]));
  }
  const moved = (instant: number) => Math.min(instant + by.seconds, isPast ? by.now : Infinity);
  if (typeof value === 'number') {
    if (name === 'utc_offset_seconds') return by.offset;
    return instants.has(name) ? moved(value) : value;
  }
  if (typeof value === 'string' && isoTime.test(value))
    return by.zone.textAt(moved(Date.parse(value) / 1000));
  return value;
}
