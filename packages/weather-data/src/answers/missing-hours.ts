import type { Zone } from '../model/time-zone.ts';
import { maxForecastDays } from '../providers/provider.ts';

const hourMs = 3_600_000;
const daySeconds = 86_400;

/** The maximum number of hours that are checked, because impossible times must not cause a very long loop. */
const maxHours = (maxForecastDays + 1) * 24;

/** A list of more than this number of hours is written as a range. */
const maxListed = 5;

/** Returns the hours from `first` to `last` that `known` lacks. Local hours look like `2026-11-20T06`. */
export function missingHours(first: string, last: string, known: ReadonlySet<string>): readonly string[] {
  const [from, to] = [first, last].map((hour) => Date.parse(`${hour}:00Z`)) as [number, number];
  const length = Math.max(0, Math.min(maxHours, (to - from) / hourMs + 1));
  return Array.from({ length }, (_, index) =>
    new Date(from + index * hourMs).toISOString().slice(0, 13),
  ).filter((hour) => !known.has(hour));
}

/** Returns notes: some hours do not exist because the clocks skip them; the source lacks the others. */
export function notesOnMissing(hours: readonly string[], zone: Zone): readonly string[] {
  const skipped = hours.filter((hour) => !exists(hour, zone));
  const unknown = hours.filter((hour) => !skipped.includes(hour));
  return [
    ...skipped.map((hour) => `${hourText(hour)} does not exist in ${zone.name}: its clocks skip it`),
    ...(unknown.length > 0 ? [`No data for ${listed(unknown.map(hourText))}`] : []),
  ];
}

/** Whether a local hour exists. It is checked with the offsets of both sides of a clock change. */
function exists(hour: string, zone: Zone): boolean {
  const seconds = Date.parse(`${hour}:00Z`) / 1000;
  return [-daySeconds, daySeconds].some((distance) =>
    zone.textAt(seconds - zone.offsetAt(seconds + distance)).startsWith(hour),
  );
}

/** Returns an hour as text, such as `2026-11-20 06:00`. */
function hourText(hour: string): string {
  return `${hour.replace('T', ' ')}:00`;
}

function listed(hours: readonly string[]): string {
  return hours.length > maxListed
    ? `${hours.length} hours from ${hours[0]} to ${hours.at(-1)}`
    : hours.join(', ');
}
