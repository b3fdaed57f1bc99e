/** The end of a time span, such as a day, that a limit means: its first or its last second. */
export type Limit = 'start' | 'end';

/** A time in seconds since 1970; a local time is counted as if it were in UTC. */
export interface Instant {
  readonly seconds: number;
  readonly isLocal: boolean;
}

/** The words of a date, apart from its time of day. */
export interface DateWords {
  readonly day: string;
  /** Seconds since midnight; undefined without a time of day. */
  readonly clock: number | undefined;
  /** The time of day in a form that git reads, such as `noon` or `10:00:00`. */
  readonly time: string;
  /** Minutes east of UTC; undefined for a local time. */
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

/** Reads the time of day and the zone, and abbreviates names; undefined for a time such as 25:00. */
export function wordsOf(value: string): DateWords | undefined {
  const text = ` ${value.toLowerCase()}`
    // ISO 8601: a "T" before the time, which can be an hour without minutes.
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

/** Seconds since midnight; undefined for a time that does not exist. 24:00 and leap seconds are times. */
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
