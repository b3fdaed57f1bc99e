import {
  type Chart,
  type ChartPanel,
  type ChartTick,
  type DayTick,
  drawChart,
  type Theme,
} from '../chart/draw-chart.ts';
import { isDrawable } from '../chart/stroke-font.ts';
import type { Fetched } from '../cache/upstream-document.ts';
import { invalidArgument } from '../errors.ts';
import { infoOf, type Measure, type Quantity } from '../model/measures.ts';
import type { Moment, Series } from '../model/series.ts';
import { weekday, type Zone } from '../model/time-zone.ts';
import { inUnit, unitOf, type UnitSystem } from '../model/units.ts';
import { coordinatesText } from '../places/coordinates.ts';
import { type Place, placeText } from '../places/place.ts';
import { attributionOf, subjectText } from '../text/provenance.ts';
import { type Answer, composeAnswer, subjectOf } from './answer.ts';
import { hoursOf, type HoursTable, type HoursTableOptions } from './hours-table.ts';

export interface ChartAnswer {
  readonly answer: Answer;
  readonly png: Uint8Array;
}

/** Maximum number of panels: a further panel would not be visible together with the others. */
const maxPanels = 4;
const amounts: readonly Quantity[] = ['precipitation', 'snowfall'];
const fromZero: readonly Quantity[] = [
  'precipitation',
  'snowfall',
  'speed',
  'height',
  'duration',
  'percent',
  'depth',
];

/** Throws a `WeatherError` for too many panels, or for the weather code, which is not a quantity. */
export function assertDrawable(measures: readonly Measure[]): void {
  const panels = panelsOf(measures);
  if (panels.size > maxPanels) {
    throw invalidArgument(
      'measures',
      `Invalid measures: more than ${maxPanels} different units; expected at most ${maxPanels} in a chart`,
    );
  }
}

/** The answer with the requested hours as a chart, and with the range of each measure as text. */
export async function hoursChartAnswer(
  sources: readonly Fetched<Series>[],
  place: Place,
  options: HoursTableOptions & { readonly theme: Theme },
  now: number,
): Promise<ChartAnswer> {
  const { measures, units, theme } = options;
  const table = hoursOf(sources, options, now);
  const { fetched, stale, notes } = table;
  const ranges = measures.map((measure) => rangeText(measure, table.hours, units));
  const text = [`Chart of ${spanText(table)}`, ...ranges].join('\n');
  const subject = subjectOf(fetched, place, { stale, notes });
  const answer = composeAnswer(fetched, subject, now, text, { chart: spanText(table) });
  return { answer, png: await drawChart(chartOf(table, place, panelsOf(measures), units), theme) };
}

/** Groups measures by quantity: each group gets a panel with one axis. */
function panelsOf(measures: readonly Measure[]): ReadonlyMap<Quantity, readonly Measure[]> {
  if (measures.includes('weatherCode'))
    throw invalidArgument(
      'measures',
      'Invalid measures: weatherCode cannot be drawn; leave it out of a chart',
    );
  const panels = new Map<Quantity, readonly Measure[]>();
  for (const measure of measures) {
    const { quantity } = infoOf(measure);
    panels.set(quantity, [...(panels.get(quantity) ?? []), measure]);
  }
  return panels;
}

function chartOf(
  table: HoursTable,
  place: Place,
  panels: ReadonlyMap<Quantity, readonly Measure[]>,
  units: UnitSystem,
): Chart {
  const { hours, zone, fetched, stale } = table;
  const title = [placeText(place), subjectText(place, undefined)].find(isDrawable);
  return {
    title: title ?? coordinatesText(place).replace(',', ', '),
    subtitle: `${spanText(table)}${stale && !fetched.sample ? ' (old data)' : ''}`,
    footer: attributionOf(fetched),
    times: hours.map(({ time }) => time),
    hours: hourTicks(hours, zone),
    days: dayTicks(hours, zone),
    panels: [...panels].map(([quantity, measures]) => panelOf(quantity, measures, hours, units)),
  };
}

function panelOf(
  quantity: Quantity,
  measures: readonly Measure[],
  hours: readonly Moment[],
  units: UnitSystem,
): ChartPanel {
  const unit = unitOf(quantity, units);
  return {
    unit: unit.label,
    fromZero: fromZero.includes(quantity),
    ...(quantity === 'percent' && { range: [0, 100, 25] as const }),
    ...(quantity === 'direction' && { range: [0, 360, 90] as const }),
    series: measures.map((measure) => ({
      label: infoOf(measure).label,
      kind: amounts.includes(quantity) ? 'bars' : quantity === 'direction' ? 'points' : 'line',
      values: hours.map(({ values }) => {
        const value = values[measure] ?? null;
        return value === null ? null : inUnit(value, unit);
      }),
    })),
  };
}

/** Returns the time span as text: `2026-11-20 14:00 to 2026-11-22 23:00, Europe/Berlin`. */
function spanText({ hours, zone }: HoursTable): string {
  const text = ({ time }: Moment) => `${zone.dateAt(time)} ${zone.timeAt(time)}`;
  return `${text(hours[0]!)} to ${text(hours.at(-1)!)}, ${zone.name}`;
}

/** Returns the ticks of the time axis: if there are more than 13 hours, only some hours have a tick. */
function hourTicks(hours: readonly Moment[], zone: Zone): readonly ChartTick[] {
  const step = hours.length <= 13 ? 1 : hours.length <= 26 ? 3 : hours.length <= 100 ? 6 : 12;
  return hours.flatMap(({ time }) => {
    const label = zone.timeAt(time);
    return Number(label.slice(0, 2)) % step === 0 ? [{ time, label: label.slice(0, 2) }] : [];
  });
}

function dayTicks(hours: readonly Moment[], zone: Zone): readonly DayTick[] {
  const days = new Map<string, { time: number; last: number }>();
  for (const { time } of hours) {
    const date = zone.dateAt(time);
    days.set(date, { time: days.get(date)?.time ?? time, last: time });
  }
  return [...days].map(([date, { time, last }]) => ({
    time,
    last,
    label: `${weekday(date)} ${date.slice(5)}`,
    short: date.slice(5),
  }));
}

/** Returns the range of a measure as text, such as `temperature 2.6 to 6 °C`; for an amount, its sum. */
function rangeText(measure: Measure, hours: readonly Moment[], units: UnitSystem): string {
  const { label, quantity } = infoOf(measure);
  const unit = unitOf(quantity, units);
  const values = hours.map(({ values: each }) => each[measure] ?? null).filter((value) => value !== null);
  if (values.length === 0) return `${label}: no data`;
  if (amounts.includes(quantity)) {
    const sum = values.reduce((total, value) => total + value, 0);
    return `${label} ${inUnit(sum, unit)} ${unit.label} in all`;
  }
  const [low, high] = [inUnit(Math.min(...values), unit), inUnit(Math.max(...values), unit)];
  return `${label} ${low} to ${high} ${unit.label}`.trimEnd();
}
