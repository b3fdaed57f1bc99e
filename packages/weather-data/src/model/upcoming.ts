import { type Coordinates, distanceKm } from '../places/coordinates.ts';
import type { Fetched } from '../cache/upstream-document.ts';
import type { Alert, Alerts, Series } from './series.ts';

export interface Upcoming {
  readonly series: Series;
  readonly stale: boolean;
  readonly notes: readonly string[];
}

/** A forecast that was issued longer ago than this number of milliseconds counts as stale. */
const maxForecastAgeMs = 24 * 3_600_000;

/**
 * Leaves out the days and hours that are over. If all days are over, returns all of them and marks the
 * forecast as stale.
 */
export function upcoming({ model, stale, sample }: Fetched<Series>, nowMs: number): Upcoming {
  const now = nowMs / 1000;
  const { zone, issuedAt } = model;
  const notes = [...model.notes];
  const old = issuedAt !== null && nowMs - issuedAt * 1000 > maxForecastAgeMs;
  if (old && !sample) notes.push(`Issued ${durationText(now - issuedAt)} ago; the source has nothing newer`);
  if (sample) return { series: model, stale, notes };

  const today = zone.dateAt(now);
  const days = model.days.filter(({ date }) => date >= today);
  const hours = model.hours.filter(({ time }) => !isOver(time, nowMs));
  if (days.length === 0 && model.days.length > 0) {
    notes.push(
      `The whole forecast is over: its last day is ${model.days.at(-1)!.date}, and the local date is ${today}`,
    );
    return { series: model, stale: true, notes };
  }
  return { series: { ...model, days, hours }, stale: stale || old, notes };
}

/** Whether the hour that begins at `time`, in seconds since 1970, is over. `nowMs` is in milliseconds. */
export function isOver(time: number, nowMs: number): boolean {
  return time <= nowMs / 1000 - 3600;
}

/** The note on a source that has fewer days than were requested. */
export function fewerDays(known: number, requested: number): string {
  return `The source has only ${known} of ${requested} days`;
}

/** Whether an observation is stale, and the notes on its age. */
interface Observation {
  /** When the observation was made, in seconds since 1970; only given if it is too old. */
  readonly since?: number;
  readonly stale: boolean;
  readonly notes: readonly string[];
}

/** An observation that is older than this number of seconds counts as stale. */
const maxObservationAgeSeconds = 3 * 3600;

/** An observation may be this number of seconds in the future, because the clock of the source may differ. */
const maxClockDifferenceSeconds = 3600;

/** Checks the age of an observation that was made at `time`, in seconds since 1970. */
export function observedAt(
  time: number,
  { model, stale, sample }: Fetched<{ readonly notes: readonly string[] }>,
  nowMs: number,
): Observation {
  const age = nowMs / 1000 - time;
  if (age < -maxClockDifferenceSeconds) {
    const note = `The observation is ${durationText(-age)} in the future: the clock here or at the source is wrong`;
    return { stale, notes: [...model.notes, note] };
  }
  const isOld = age > maxObservationAgeSeconds && !sample;
  return { stale: stale || isOld, notes: model.notes, ...(isOld && { since: time }) };
}

/** Returns the alerts that have not ended, and a note if alerts were left out because they have ended. */
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

/** Returns a duration as text, such as `5 minutes`, `3 hours` or `4 days`. */
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
