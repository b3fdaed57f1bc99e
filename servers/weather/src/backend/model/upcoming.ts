import { type Coordinates, distanceKm } from '../places/coordinates.ts';
import type { Read } from '../cache/upstream-document.ts';
import type { Alert, Alerts, Series } from './series.ts';

/** What is told of a series at a moment: what is over is left out, what is too old is called that. */
export interface View {
  readonly series: Series;
  readonly stale: boolean;
  readonly notes: readonly string[];
}

/** How long after it was issued a forecast counts as old, whatever its other times say. */
const oldForecastMs = 24 * 3_600_000;

/** The part of a forecast that still lies ahead, in whole hours and days of the place. */
export function ahead({ model, stale, sample }: Read<Series>, nowMs: number): View {
  const now = nowMs / 1000;
  const { zone, issuedAt } = model;
  const notes = [...model.notes];
  const old = issuedAt !== null && nowMs - issuedAt * 1000 > oldForecastMs;
  if (old && !sample)
    notes.push(`Issued ${hoursText(now - issuedAt)} ago by its source, which has nothing newer`);
  if (sample) return { series: model, stale, notes };

  const today = zone.dateAt(now);
  const days = model.days.filter(({ date }) => date >= today);
  const hours = model.hours.filter(({ time }) => time > now - 3600);
  if (days.length === 0 && model.days.length > 0) {
    notes.push(`All of it is over: the last day is ${model.days.at(-1)!.date}, and there today is ${today}`);
    return { series: model, stale: true, notes };
  }
  return { series: { ...model, days, hours }, stale: stale || old, notes };
}

/** Alerts that are not over yet. */
export function inForce(
  { model, sample }: Read<Alerts>,
  nowMs: number,
): { alerts: readonly Alert[]; notes: readonly string[] } {
  const alerts = model.alerts.filter(({ over }) => sample || over === null || over * 1000 > nowMs);
  const over = model.alerts.length - alerts.length;
  const notes = over > 0 ? [`${over} ${over === 1 ? 'is' : 'are'} still listed but over and left out`] : [];
  return { alerts, notes: [...model.notes, ...notes] };
}

/** Kilometres from a place to the grid cell or station that speaks for it, rounded to 100 m. */
export function gridDistance(place: Coordinates, grid: Coordinates | undefined): number | null {
  return grid ? Math.round(distanceKm(place, grid) * 10) / 10 : null;
}

/** `5 minutes`, `3 hours`, `4 days` */
export function hoursText(seconds: number): string {
  const units = [
    [86_400 * 2, 86_400, 'day'],
    [5_400, 3_600, 'hour'],
    [0, 60, 'minute'],
  ] as const;
  const [, size, name] = units.find(([from]) => seconds >= from) ?? units[2];
  const count = Math.max(0, Math.round(seconds / size));
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
