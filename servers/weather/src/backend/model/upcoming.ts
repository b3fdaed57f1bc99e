import { type Coordinates, distanceKm } from '../places/coordinates.ts';
import type { Fetched } from '../cache/upstream-document.ts';
import type { Alert, Alerts, Series } from './series.ts';

/** The part of a series that is not over at a moment, and whether it is too old. */
export interface Upcoming {
  readonly series: Series;
  readonly stale: boolean;
  readonly notes: readonly string[];
}

/** The age, since it was issued, from which a forecast counts as stale. */
const maxForecastAgeMs = 24 * 3_600_000;

/** Returns the hours and local days of a forecast that are not over. */
export function upcoming({ model, stale, sample }: Fetched<Series>, nowMs: number): Upcoming {
  const now = nowMs / 1000;
  const { zone, issuedAt } = model;
  const notes = [...model.notes];
  const old = issuedAt !== null && nowMs - issuedAt * 1000 > maxForecastAgeMs;
  if (old && !sample) notes.push(`Issued ${durationText(now - issuedAt)} ago; the source has nothing newer`);
  if (sample) return { series: model, stale, notes };

  const today = zone.dateAt(now);
  const days = model.days.filter(({ date }) => date >= today);
  const hours = model.hours.filter(({ time }) => time > now - 3600);
  if (days.length === 0 && model.days.length > 0) {
    notes.push(
      `The whole forecast is over: its last day is ${model.days.at(-1)!.date}, and the local date is ${today}`,
    );
    return { series: model, stale: true, notes };
  }
  return { series: { ...model, days, hours }, stale: stale || old, notes };
}

/** Returns the alerts that have not ended. */
export function activeAlerts(
  { model, sample }: Fetched<Alerts>,
  nowMs: number,
): { alerts: readonly Alert[]; notes: readonly string[] } {
  const alerts = model.alerts.filter(({ endsAt }) => sample || endsAt === null || endsAt * 1000 > nowMs);
  const ended = model.alerts.length - alerts.length;
  const notes =
    ended > 0
      ? [`${ended} alert${ended === 1 ? ' has' : 's have'} ended and ${ended === 1 ? 'is' : 'are'} left out`]
      : [];
  return { alerts, notes: [...model.notes, ...notes] };
}

/** Kilometres from a place to the grid cell or station of its data, rounded to 100 m. */
export function gridDistance(place: Coordinates, grid: Coordinates | undefined): number | null {
  return grid ? Math.round(distanceKm(place, grid) * 10) / 10 : null;
}

/** `5 minutes`, `3 hours`, `4 days` */
export function durationText(seconds: number): string {
  const units = [
    [86_400 * 2, 86_400, 'day'],
    [5_400, 3_600, 'hour'],
    [0, 60, 'minute'],
  ] as const;
  const [, size, name] = units.find(([from]) => seconds >= from) ?? units[2];
  const count = Math.max(0, Math.round(seconds / size));
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
