import { type Coordinates, coordinatesIn } from '../../places/coordinates.ts';
import { invalidReply, member, numberIn, objectIn, textIn } from '../../json-fields.ts';
import { canonicalValue, infoOf, type Quantity } from '../../model/measures.ts';
import { converter, instantOf, offsetOf, oneReply } from './format.ts';
import type { AirQuality } from '../../model/series.ts';
import { Zone } from '../../model/time-zone.ts';

interface AirMeasure {
  readonly label: string;
  readonly quantity: Quantity;
}

/** The highest plausible values, above all records. In a dust storm, an index may exceed its scale. */
const maxValues: { readonly [Q in Quantity]?: number } = { plain: 10_000, concentration: 1e6, pollen: 1e6 };

/** The measures, keyed by the API's name of the variable. The API has pollen only for Europe. */
export const airMeasures: { readonly [variable: string]: AirMeasure } = {
  european_aqi: { label: 'European air quality index', quantity: 'plain' },
  us_aqi: { label: 'US air quality index', quantity: 'plain' },
  pm2_5: { label: 'PM2.5', quantity: 'concentration' },
  pm10: { label: 'PM10', quantity: 'concentration' },
  nitrogen_dioxide: { label: 'nitrogen dioxide', quantity: 'concentration' },
  ozone: { label: 'ozone', quantity: 'concentration' },
  sulphur_dioxide: { label: 'sulphur dioxide', quantity: 'concentration' },
  carbon_monoxide: { label: 'carbon monoxide', quantity: 'concentration' },
  uv_index: { label: 'UV index', quantity: 'plain' },
  alder_pollen: { label: 'alder pollen', quantity: 'pollen' },
  birch_pollen: { label: 'birch pollen', quantity: 'pollen' },
  grass_pollen: { label: 'grass pollen', quantity: 'pollen' },
  mugwort_pollen: { label: 'mugwort pollen', quantity: 'pollen' },
  olive_pollen: { label: 'olive pollen', quantity: 'pollen' },
  ragweed_pollen: { label: 'ragweed pollen', quantity: 'pollen' },
};

/** Parses the current values of a reply of the air quality API. */
export function readAirQuality(document: unknown, near: Coordinates | undefined): AirQuality {
  const reply = oneReply(document, near);
  const block = objectIn(reply, 'current');
  const offset = offsetOf(reply);
  const time = instantOf(block?.['time'], offset);
  if (!block || time === undefined) throw invalidReply('The document of Open-Meteo has no current values');
  const notes = new Set<string>();
  const values: { [name: string]: number | null } = {};
  for (const [variable, { quantity }] of Object.entries(airMeasures)) {
    if (!Object.hasOwn(block, variable)) continue;
    const convert = converter(quantity, variable, objectIn(reply, 'current_units'), notes);
    const value = numberIn(block, variable);
    const source = convert && { name: variable, range: rangeOf(variable, quantity), convert };
    values[variable] = value === undefined || !source ? null : canonicalValue(value, source, notes);
  }
  return {
    grid: coordinatesIn(member(reply, 'latitude'), member(reply, 'longitude')),
    zone: Zone.of(textIn(reply, 'timezone'), offset),
    time,
    values,
    notes: [...notes],
  };
}

function rangeOf(variable: string, quantity: Quantity): { readonly min: number; readonly max: number } {
  const { max = Infinity } = variable === 'uv_index' ? infoOf('uvIndex') : { max: maxValues[quantity] };
  return { min: 0, max };
}

/** Returns the band of the European (2024) or the US (EPA) index; undefined for other variables. */
export function airBand(variable: string, value: number): string | undefined {
  if (variable === 'european_aqi') {
    return bandIn(
      value,
      [20, 40, 60, 80, 100],
      ['good', 'fair', 'moderate', 'poor', 'very poor', 'extremely poor'],
    );
  }
  if (variable === 'us_aqi') {
    return bandIn(
      value,
      [51, 101, 151, 201, 301],
      ['good', 'moderate', 'unhealthy for sensitive groups', 'unhealthy', 'very unhealthy', 'hazardous'],
    );
  }
  return undefined;
}

/** Returns the name of a value's band. The band `names[n]` ends at `from[n]`, where the next begins. */
function bandIn(value: number, from: readonly number[], names: readonly string[]): string {
  const index = from.findIndex((start) => value < start);
  return names[index === -1 ? names.length - 1 : index]!;
}
