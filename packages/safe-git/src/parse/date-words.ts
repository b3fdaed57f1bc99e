/** Which end of a time span, such as a day, is meant: its first second or its last. */
export type Limit = 'start' | 'end';

/**
 * A time in seconds since 1970. If `isLocal`, the time is a local time, and the seconds are those of the same
 * date and time of day in UTC.
 */
export interface Instant {
  readonly seconds: number;
  readonly isLocal: boolean;
}

/** The parts of a date: its words except the time of day, then the time of day and the zone. */
export interface DateWords {
  readonly day: string;
  /** The time of day in seconds since midnight; undefined if the date has none. */
  readonly clock: number | undefined;
  /** The time of day in a form that git reads, such as `noon` or `10:00:00`. */
  readonly time: string;
  /** Minutes east of UTC; undefined if no zone is given, so that the time is local. */
  readonly zone: number | undefined;
}

/** The time of day as `hh:mm:ss`, without a fraction, which git ignores. */
export function clockText(clock: number): string {
  const parts = [clock / 3_600, (clock / 60) % 60, clock % 60];
  return parts.map((part) => String(Math.floor(part)).padStart(2, '0')).join(':');
}

const names =
  'january february march april may june july august september october november december sunday monday tuesday wednesday thursday friday saturday'.split(
    ' ',
  );
const zonePattern = /(?<= |\d)(?:z|utc|gmt|([+-])(\d\d)(?::?(\d\d))?)$/;
const clockPattern =
  / (?:(noon|midnight|tea)|(\d{1,2})(?=:| ?[ap]m)(?::(\d\d)(?::(\d\d(?:[.,]\d+)?))?)?(?: ?([ap])m)?)(?= |$)/;
const maxZone = 14 * 60;

/** Splits a date into its words, time of day and zone. Undefined for an impossible time such as 25:00. */
export function wordsOf(value: string): DateWords | undefined {
  const text = ` ${value.toLowerCase()}`
    // ISO 8601 has a "T" before the time of day. The time of day may be only an hour, so `:00` is added.
    .replace(/^( (?:\d{8}|\d{4}([-/.])\d{1,2}\2\d{1,2})[t ]\d\d)(?=$| ?(?:z|[+-]))/, '$1:00')
    .replace(/(\d)t(?=\d\d:)/, '$1 ')
    .replace(/(?<!:\d\d),|,(?!\d)/g, ' ')
    .replace(/([a-z])\.(?= |$)/g, '$1')
    .replace(/(?<= \d{1,2})(?:st|nd|rd|th)(?= |$)/g, '')
    .replace(/ (?:at|the|of|and)(?= )/g, '')
    .replace(/[a-z]{3,}/g, (word) => names.find((name) => name.startsWith(word))?.slice(0, 3) ?? word)
    .replace(/ +/g, ' ')
    .trimEnd();
  const [zoned = '', sign, hours = '0', minutes = '0'] = (/\d:\d/.test(text) && zonePattern.exec(text)) || [];
  const local = text.slice(0, text.length - zoned.length).trimEnd();
  const [written = '', ...clockParts] = clockPattern.exec(local) ?? [];
  const clock = written === '' ? undefined : secondsOfDay(clockParts);
  const zone = zoned === '' ? undefined : Number(`${sign ?? ''}1`) * (Number(hours) * 60 + Number(minutes));
  const isInvalid =
    (written !== '' && clock === undefined) ||
    (zone !== undefined && (written === '' || Number(minutes) > 59 || Math.abs(zone) > maxZone));
  if (isInvalid) return undefined;
  const time = clockParts[0] ?? (clock === undefined ? '' : clockText(clock));
  return { day: local.replace(written, '').trim(), clock, time, zone };
}

const namedHours: { readonly [name: string]: number } = { midnight: 0, noon: 12, tea: 17 };

/** Seconds since midnight; undefined for an impossible time. 24:00 and leap seconds are possible. */
function secondsOfDay([name, hours, minutes = '0', seconds = '0', half]: readonly (string | undefined)[]) {
  if (name !== undefined) return namedHours[name]! * 3_600;
  const [given, minute, second] = [Number(hours), Number(minutes), Number(seconds.replace(',', '.'))];
  const hour = half === undefined ? given : (given % 12) + (half === 'p' ? 12 : 0);
  const clock = (hour * 60 + minute) * 60 + second;
  const exists =
    (half === undefined || (given >= 1 && given <= 12)) &&
    minute < 60 &&
    (second < 60 || (second < 61 && minute === 59)) &&
    (hour < 24 || clock === 86_400);
  return exists ? clock : undefined;
}
