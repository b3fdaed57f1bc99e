import { Failure, quoted } from '../errors.ts';

const quarterHour = 900;

/** A time zone: turns instants (seconds since 1970) into what clocks show there. */
export class Zone {
  /** An IANA name, or an offset such as `UTC+02:00` where there is none. */
  readonly name: string;
  readonly #format: Intl.DateTimeFormat | undefined;
  readonly #fixed: number;
  readonly #offsets = new Map<number, number>();

  private constructor(name: string, format: Intl.DateTimeFormat | undefined, fixed: number) {
    this.name = name;
    this.#format = format;
    this.#fixed = fixed;
  }

  /** The zone of a name; where nobody knows the name, clocks that always have the same offset. */
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

  /** Seconds that clocks are ahead of UTC at an instant. */
  offsetAt(instant: number): number {
    if (!this.#format) return this.#fixed;
    const quarter = Math.floor(instant / quarterHour);
    let offset = this.#offsets.get(quarter);
    if (offset === undefined) {
      const parts = this.#format.formatToParts(quarter * quarterHour * 1000);
      offset = parseOffset(parts.find(({ type }) => type === 'timeZoneName')?.value ?? '');
      if (this.#offsets.size > 20_000) this.#offsets.clear();
      this.#offsets.set(quarter, offset);
    }
    return offset;
  }

  /** `2026-11-20` */
  dateAt(instant: number): string {
    return utc(instant + this.offsetAt(instant)).slice(0, 10);
  }

  /** `14:45` */
  timeAt(instant: number): string {
    return utc(instant + this.offsetAt(instant)).slice(11, 16);
  }

  /** `2026-11-20T14:45+01:00`; no other instant is written the same, also where an hour comes twice. */
  textAt(instant: number): string {
    return utc(instant + this.offsetAt(instant)).slice(0, 16) + offsetText(this.offsetAt(instant));
  }

  /** `+01:00` */
  offsetTextAt(instant: number): string {
    return offsetText(this.offsetAt(instant));
  }

  /** The first instant of a local date; of one that was skipped, that of the next. */
  startOf(date: string): number {
    const midnight = Date.parse(`${date}T00:00Z`) / 1000;
    // The offset is one of those around that time; the earliest instant with this date, or a later one, is it.
    const offsets = [...new Set([-1, 0, 1].map((days) => this.offsetAt(midnight + days * 86_400)))];
    const starts = offsets
      .map((offset) => midnight - offset)
      .filter((start) => this.dateAt(start) >= date && this.dateAt(start - 1) < date)
      .toSorted((a, b) => a - b);
    return starts[0] ?? midnight - this.offsetAt(midnight);
  }

  /** The instant after the last one of a local date. */
  endOf(date: string): number {
    return this.startOf(addDays(date, 1));
  }

  /** Whether clocks are changed on a local date. */
  changesOn(date: string): boolean {
    return this.offsetAt(this.startOf(date)) !== this.offsetAt(this.endOf(date) - 1);
  }
}

const zones = new Map<string, Zone>();

/** The date some days later, by the calendar alone. */
export function addDays(date: string, days: number): string {
  return utc(Date.parse(`${date}T00:00Z`) / 1000 + days * 86_400).slice(0, 10);
}

/** Whether a text is a date of the calendar, written as `2026-11-20`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00Z`);
  return !Number.isNaN(time) && utc(time / 1000).startsWith(text);
}

/** Throws where a text is no date. */
export function checkDate(date: string): void {
  if (!isDate(date))
    throw new Failure('invalid_argument', `A date is written as 2026-11-20, and not ${quoted(date)}`, {
      argument: 'date',
    });
}

/** `Fri` */
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
