import { invalidReply, type Json, listIn, objectIn } from '../../json-fields.ts';
import { canonicalValue, infoOf } from '../../model/measures.ts';
import type { RangeMeasure, Ranges, Spread } from '../../model/series.ts';
import type { Coordinates } from '../../places/coordinates.ts';
import { converter, dateOf, offsetOf, oneReply } from './format.ts';

/**
 * Global models of four weather services, by their names in the API.
 * @see https://open-meteo.com/en/docs#data_sources
 */
export const spreadModels = {
  ecmwf_ifs025: 'ECMWF IFS',
  gfs_seamless: 'GFS',
  icon_seamless: 'ICON',
  gem_seamless: 'GEM',
};

export const spreadVariables = {
  temperatureMax: 'temperature_2m_max',
  temperatureMin: 'temperature_2m_min',
  precipitation: 'precipitation_sum',
} as const satisfies { readonly [M in RangeMeasure]: string };

/** Parses a reply for several models, in which each variable's name ends with the name of a model. */
export function readSpread(document: unknown, near: Coordinates | undefined): Spread {
  const reply = oneReply(document, near);
  const daily = objectIn(reply, 'daily');
  const times = listIn(daily, 'time');
  if (!daily || !times) throw invalidReply('The document of Open-Meteo has no days of several models');
  const offset = offsetOf(reply);
  const notes = new Set<string>();
  const days = new Map<string, Ranges>();
  for (const [index, time] of times.entries()) {
    const date = dateOf(time, offset);
    if (date !== undefined) days.set(date, rangesOf(daily, objectIn(reply, 'daily_units'), index, notes));
  }
  return { models: Object.values(spreadModels), days, notes: [...notes] };
}

/** Returns the lowest and the highest value of the models. A measure needs at least two models. */
function rangesOf(daily: Json, units: Json | undefined, index: number, notes: Set<string>): Ranges {
  const ranges: { [M in RangeMeasure]?: readonly [number, number] } = {};
  for (const [measure, variable] of Object.entries(spreadVariables)) {
    const values = Object.keys(spreadModels).flatMap((model) => {
      const name = `${variable}_${model}`;
      const value = listIn(daily, name)?.[index];
      const range = infoOf(measure as RangeMeasure);
      const convert = converter(range.quantity, name, units, notes);
      if (typeof value !== 'number' || !convert) return [];
      return canonicalValue(value, { name, range, convert }, notes) ?? [];
    });
    if (values.length > 1) ranges[measure as RangeMeasure] = [Math.min(...values), Math.max(...values)];
  }
  return ranges;
}
