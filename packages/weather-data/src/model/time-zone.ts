import { invalidArgument, quoted } from '../errors.ts';

const quarterHourSeconds = 900;

/** The upper bound of offsets from UTC, in seconds: a day. */
export const maxOffsetSeconds = 86_400;

// The years 1900 to 2200, in seconds since 1970.
const minInstant = -2_208_988_800;
const maxInstant = 7_258_118_400;

/** Whether a number, in seconds since 1970, is a plausible time for weather data. */
export function isInstant(value: number): boolean {
  return value >= minInstant && value <= maxInstant;
}

/** A time zone, which converts instants to local time. Instants are in seconds since 1970. */
export class Zone {
  /** The IANA name, or the offset, such as `UTC+02:00`. */
  readonly name: string;
  readonly #format: Intl.DateTimeFormat | undefined;
  readonly #fixed: number;
  readonly #offsets = new Map<number, number>();

  private constructor(name: string, format: Intl.DateTimeFormat | undefined, fixed: number) {
    this.name = name;
    this.#format = format;
    this.#fixed = fixed;
  }

  /** Returns the zone with an IANA name or, if the name is unknown, a zone with a fixed offset. */
  static of(name: string | undefined, offsetSeconds = 0): Zone {
    if (name === undefined || !/^[A-Z]/i.test(name)) return Zone.#at(offsetSeconds);
    const known = zones.get(name);
    if (known) return known;
    try {
      const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
      const zone = new Zone(name, format, 0);
      if (zones.size < 1_000) zones.set(name, zone);
      return zone;
    } catch {
      return Zone.#at(offsetSeconds);
    }
  }

  static #at(offsetSeconds: number): Zone {
    return new Zone(
      offsetSeconds === 0 ? 'UTC' : `UTC${offsetText(offsetSeconds)}`,
      undefined,
      offsetSeconds,
    );
  }

  /** The number of seconds by which local time is ahead of UTC at an instant. */
  offsetAt(instant: number): number {
    if (!this.#format) return this.#fixed;
    const quarter = Math.floor(instant / quarterHourSeconds);
    let offset = this.#offsets.get(quarter);
    if (offset === undefined) {
      const parts = this.#format.formatToParts(quarter * quarterHourSeconds * 1000);
      offset = parseOffset(parts.find(({ type }) => type === 'timeZoneName')?.value ?? '');
      if (this.#offsets.size > 20_000) this.#offsets.clear();
      this.#offsets.set(quarter, offset);
    }
    return offset;
  }

  /** The local date at an instant, such as `2026-11-20`. */
  dateAt(instant: number): string {
    return utc(instant + this.offsetAt(instant)).slice(0, 10);
  }

  /** The local time at an instant, such as `14:45`. */
  timeAt(instant: number): string {
    return utc(instant + this.offsetAt(instant)).slice(11, 16);
  }

  /** Local date and time with the offset, unique even if an hour occurs twice: `2026-11-20T14:45+01:00`. */
  textAt(instant: number): string {
    return utc(instant + this.offsetAt(instant)).slice(0, 16) + offsetText(this.offsetAt(instant));
  }

  /** The offset at an instant as text, such as `+01:00`. */
  offsetTextAt(instant: number): string {
    return offsetText(this.offsetAt(instant));
  }

  /** Returns the first instant of a local date. If the clocks skip the date, the next date starts then. */
  startOf(date: string): number {
    const midnight = Date.parse(`${date}T00:00Z`) / 1000;
    // The offset at midnight may be that of the day before, of this day or of the next day.
    const offsets = [...new Set([-1, 0, 1].map((days) => this.offsetAt(midnight + days * 86_400)))];
    const starts = offsets
      .map((offset) => midnight - offset)
      .filter((start) => this.dateAt(start) >= date && this.dateAt(start - 1) < date)
      .toSorted((a, b) => a - b);
    return starts[0] ?? midnight - this.offsetAt(midnight);
  }

  /** Returns the first instant after a local date. */
  endOf(date: string): number {
    return this.startOf(addDays(date, 1));
  }

  /** Whether the offset changes during a local date. */
  changesOn(date: string): boolean {
    return this.offsetAt(this.startOf(date)) !== this.offsetAt(this.endOf(date) - 1);
  }
}

const zones = new Map<string, Zone>();

/** Returns the date that is `days` days after a date, or before it if `days` is negative. */
export function addDays(date: string, days: number): string {
  return utc(Date.parse(`${date}T00:00Z`) / 1000 + days * 86_400).slice(0, 10);
}

/** Whether a text is a valid date in the form `2026-11-20`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00Z`);
  return !Number.isNaN(time) && utc(time / 1000).startsWith(text);
}

/**
 * Checks that a text is a valid date in the form `2026-11-20`.
 * @throws `WeatherError` of kind `invalid_argument` that names `argument`
 */
export function assertDate(date: string, argument = 'date'): void {
  if (!isDate(date))
    throw invalidArgument(
      argument,
      `Invalid ${argument}: ${quoted(date)}; expected a date such as 2026-11-20`,
    );
}

/** The weekday of a date, such as `Fri`. */
export function weekday(date: string): string {
  return ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][new Date(`${date}T00:00Z`).getUTCDay()]!;
}

/** An instant in UTC, to the second: `2026-11-20T13:46:02Z`. */
export function utcText(instant: number): string {
  return `${utc(instant).slice(0, 19)}Z`;
}

function utc(instant: number): string {
  return new Date(instant * 1000).toISOString();
}

function offsetText(seconds: number): string {
  const minutes = Math.round(Math.abs(seconds) / 60);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${seconds < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

function parseOffset(text: string): number {
  const [, sign, hours, minutes, seconds = '0'] = /([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(text) ?? [];
  if (sign === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
}
