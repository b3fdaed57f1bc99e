import { timeOf } from './fields.ts';
import type { Moment } from './weather.ts';

const weekdayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Sat` of `2026-11-28`. */
export function weekdayOf(date: string): string {
  return weekdayNames[new Date(`${date}T00:00Z`).getUTCDay()] ?? date;
}

/** `Sat 28 Nov` of `2026-11-28`. */
export function dateText(date: string): string {
  return `${weekdayOf(date)} ${Number(date.slice(8))} ${months[Number(date.slice(5, 7)) - 1] ?? ''}`;
}

/** `Sat 28 Nov, 18:00` of a local time, or an empty text. */
export function momentText(value: unknown): string {
  const time = timeOf(value);
  return time ? `${dateText(time.date)}, ${time.clock}` : '';
}

/** The index of the hour that contains `now`, in milliseconds since 1970; 0 if none does. */
export function currentIndex(hours: readonly Moment[], now: number): number {
  return Math.max(
    0,
    hours.findLastIndex(({ at }) => at <= now),
  );
}

/** The local date and time in the zone of the hours, and its offset: `UTC+1`, `UTC+5:45`. */
export function localNow(hours: readonly Moment[], now: number) {
  const { offset = '+00:00' } = hours[currentIndex(hours, now)] ?? {};
  const [sign, hour, minute] = [offset[0], Number(offset.slice(1, 3)), offset.slice(4)];
  const minutes = (hour * 60 + Number(minute)) * (sign === '-' ? -1 : 1);
  const local = new Date(now + minutes * 60_000).toISOString();
  const short =
    minutes === 0 ? '' : `${sign === '-' ? '−' : '+'}${hour}${minute === '00' ? '' : `:${minute}`}`;
  return { date: local.slice(0, 10), clock: local.slice(11, 16), offset: `UTC${short}` };
}

/** `just now`, `5 min ago`, `3 h ago`, `2 days ago`. */
export function ageText(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 120) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
}
