import { pointOf } from '../model/compass.ts';
import { infoOf, type Measure, type Values } from '../model/measures.ts';
import { inUnit, unitOf, type UnitSystem } from '../model/units.ts';
import type { RangeMeasure, Ranges } from '../model/series.ts';
import { weatherText } from '../model/weather-code.ts';
import type { Facts } from './provenance.ts';

/** Values as facts, with the unit in each name: `temperatureC`, `windSpeedMph`. Null means "no data". */
export function valueFacts(values: Values, units: UnitSystem): Facts {
  return Object.fromEntries(
    measuresIn(values).map((measure) => [factName(measure, units), factOf(measure, values[measure], units)]),
  );
}

/** The range of each measure in which several models differ, as facts: `temperatureMaxC: [18, 23]`. */
export function rangeFacts(ranges: Ranges, units: UnitSystem): Facts {
  return Object.fromEntries(
    rangeMeasures(ranges).map((measure) => [
      factName(measure, units),
      ranges[measure]!.map((value) => factOf(measure, value, units)),
    ]),
  );
}

/** Returns `models: high 18 to 23 °C, precipitation 0 to 4.2 mm`; undefined if there are no ranges. */
export function rangesText(ranges: Ranges, units: UnitSystem): string | undefined {
  const texts = rangeMeasures(ranges).map((measure) => {
    const { label, quantity } = infoOf(measure);
    const unit = unitOf(quantity, units);
    const [low, high] = ranges[measure]!.map((value) => inUnit(value, unit));
    return `${label} ${low === high ? low : `${low} to ${high}`} ${unit.label}`;
  });
  return texts.length > 0 ? `models: ${texts.join(', ')}` : undefined;
}

function rangeMeasures(ranges: Ranges): RangeMeasure[] {
  return Object.keys(ranges) as RangeMeasure[];
}

/** Returns one list for each measure, which is much smaller in JSON than an object for each moment. */
export function columnFacts(rows: readonly { readonly values: Values }[], units: UnitSystem): Facts {
  const measures = new Set(rows.flatMap(({ values }) => measuresIn(values)));
  return Object.fromEntries(
    [...measures].map((measure) => [
      factName(measure, units),
      rows.map(({ values }) => factOf(measure, values[measure], units)),
    ]),
  );
}

/** Returns a value with its unit: `4.6 °C`, or `no data`. */
function valueText(values: Values, measure: Measure, units: UnitSystem): string {
  const value = values[measure];
  if (value === undefined || value === null) return 'no data';
  const unit = unitOf(infoOf(measure).quantity, units);
  return `${inUnit(value, unit)}${unit.label === '' ? '' : ` ${unit.label}`}`;
}

/** Returns a text such as `temperature 4.6 °C` for each of these measures that the source was asked for. */
export function valueTexts(values: Values, measures: readonly Measure[], units: UnitSystem): string[] {
  return measures
    .filter((measure) => values[measure] !== undefined)
    .map((measure) => `${infoOf(measure).label} ${valueText(values, measure, units)}`);
}

/** Returns the wind as text: `wind 14.8 km/h from WSW (247°), gusts 31.7 km/h`. */
export function windText(values: Values, units: UnitSystem): string {
  const { windSpeed, windSpeedLow, windDirection, windGusts } = values;
  const unit = unitOf('speed', units);
  const gusts =
    windGusts === undefined || windGusts === null ? '' : `, gusts ${inUnit(windGusts, unit)} ${unit.label}`;
  if (windSpeed === undefined || windSpeed === null) return `wind no data${gusts}`;
  const low = windSpeedLow === undefined || windSpeedLow === null ? '' : `${inUnit(windSpeedLow, unit)} to `;
  const speed = windSpeed === 0 ? 'calm' : `wind ${low}${inUnit(windSpeed, unit)} ${unit.label}`;
  const direction =
    windSpeed === 0 || windDirection === undefined
      ? ''
      : windDirection === null
        ? ', direction no data'
        : ` from ${pointOf(windDirection)} (${Math.round(windDirection)}°)`;
  return `${speed}${direction}${gusts}`;
}

/** Returns one note that names the measures without any value in the rows of an answer, or an empty list. */
export function emptyNotes(
  ...blocks: readonly (readonly { readonly values: Values }[])[]
): readonly string[] {
  const labels = blocks.flatMap((rows) => {
    const measures = new Set(rows.flatMap(({ values }) => measuresIn(values)));
    const empty = [...measures].filter((measure) =>
      rows.every(({ values }) => (values[measure] ?? null) === null),
    );
    return empty.map((measure) => infoOf(measure).label);
  });
  return labels.length > 0 ? [`No data: ${[...new Set(labels)].join(', ')}`] : [];
}

/** The weather condition in the words of the source or, if it has none, the meaning of the weather code. */
export function conditionText({ values, text }: { readonly values: Values; readonly text?: string }): string {
  if (text !== undefined) return text;
  const { weatherCode } = values;
  return weatherCode === undefined || weatherCode === null ? 'Weather: no data' : weatherText(weatherCode);
}

export function conditionFact(moment: { readonly values: Values; readonly text?: string }): string | null {
  const { weatherCode } = moment.values;
  return moment.text === undefined && (weatherCode === undefined || weatherCode === null)
    ? null
    : conditionText(moment);
}

function measuresIn(values: Values): Measure[] {
  return (Object.keys(values) as Measure[]).filter((measure) => values[measure] !== undefined);
}

function factName(measure: Measure, units: UnitSystem): string {
  return measure + unitOf(infoOf(measure).quantity, units).suffix;
}

function factOf(
  measure: Measure,
  value: number | null | undefined,
  units: UnitSystem,
): number | boolean | null {
  if (value === null || value === undefined) return null;
  if (measure === 'isDay') return value >= 0.5;
  return inUnit(value, unitOf(infoOf(measure).quantity, units));
}
