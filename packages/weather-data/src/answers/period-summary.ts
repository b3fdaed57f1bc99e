import { infoOf, type Measure } from '../model/measures.ts';
import type { Day } from '../model/series.ts';
import { inUnit, unitOf, type UnitSystem } from '../model/units.ts';
import type { Facts } from '../text/provenance.ts';

/** A condition on the value of a day, such as `temperatureMax > 30`, in the units of the answer. */
export interface DayCondition {
  readonly measure: Measure;
  readonly operator: DayOperator;
  readonly value: number;
}

export type DayOperator = '>' | '>=' | '<' | '<=';

/** The measures of a summary. All have a mean and extremes; a `total` measure also has a sum. */
export const summarizedMeasures: { readonly [measure: string]: 'total' | 'mean' } = {
  temperatureMax: 'mean',
  temperatureMin: 'mean',
  precipitation: 'total',
  snowfall: 'total',
  windSpeed: 'mean',
  windGusts: 'mean',
} satisfies { readonly [M in Measure]?: 'total' | 'mean' };

export const conditionMeasures = Object.keys(summarizedMeasures) as Measure[];

const compare: { readonly [O in DayOperator]: (a: number, b: number) => boolean } = {
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
};

/** Mean, total and extremes of each measure over days, and the number of days that meet a condition. */
export function summarize(
  days: readonly Day[],
  units: UnitSystem,
  condition: DayCondition | undefined,
): { text: string; facts: Facts } {
  const measures = conditionMeasures.flatMap((measure) => summaryOf(days, measure, units) ?? []);
  const met = condition && countDays(days, units, condition);
  return {
    text: [`${days.length} days`, ...measures.map(({ text }) => text), ...(met ? [met.text] : [])].join('\n'),
    facts: {
      days: days.length,
      ...Object.fromEntries(measures.map(({ name, facts }) => [name, facts])),
      ...(met && { count: met.facts }),
    },
  };
}

function summaryOf(days: readonly Day[], measure: Measure, units: UnitSystem) {
  const known = knownValues(days, measure);
  if (known.length === 0) return undefined;
  const { label, quantity } = infoOf(measure);
  const unit = unitOf(quantity, units);
  const total = known.reduce((sum, { value }) => sum + value, 0);
  const highest = known.reduce((best, each) => (each.value > best.value ? each : best));
  const lowest = known.reduce((best, each) => (each.value < best.value ? each : best));
  const isTotal = summarizedMeasures[measure] === 'total';
  const facts = {
    ...(isTotal ? { total: inUnit(total, unit) } : { mean: inUnit(total / known.length, unit) }),
    max: inUnit(highest.value, unit),
    maxDate: highest.date,
    ...(!isTotal && { min: inUnit(lowest.value, unit), minDate: lowest.date }),
    ...(known.length < days.length && { knownDays: known.length }),
  };
  const middle = isTotal ? `total ${inUnit(total, unit)}` : `mean ${inUnit(total / known.length, unit)}`;
  const low = isTotal ? '' : `, lowest ${inUnit(lowest.value, unit)} on ${lowest.date}`;
  const missing = known.length < days.length ? ` (${known.length} days known)` : '';
  const text = `${label} (${unit.label}): ${middle}, highest ${inUnit(highest.value, unit)} on ${highest.date}${low}${missing}`;
  return { name: measure + unit.suffix, facts, text };
}

function countDays(days: readonly Day[], units: UnitSystem, { measure, operator, value }: DayCondition) {
  const { label, quantity } = infoOf(measure);
  const unit = unitOf(quantity, units);
  const known = knownValues(days, measure);
  const met = known.filter((day) => compare[operator](inUnit(day.value, unit), value));
  return {
    text: `${label} ${operator} ${value} ${unit.label}: ${met.length} of ${known.length} days`,
    facts: { condition: `${measure + unit.suffix}${operator}${value}`, days: met.length, of: known.length },
  };
}

function knownValues(days: readonly Day[], measure: Measure): { date: string; value: number }[] {
  return days.flatMap(({ date, values }) => {
    const value = values[measure];
    return typeof value === 'number' ? [{ date, value }] : [];
  });
}
