import { isObject } from '@mcp/kit';
import { Zone } from '../../model/time-zone.ts';
import { MadeUpWeather, modelsOf, quartersAfter } from './made-up-weather.ts';
import { withMoreDays, withMorePeriods } from './more-days.ts';
import { sample, sampleTime, sampleZones } from './sample.ts';
import { samplePlaces } from './sample-places.ts';

type Json = { readonly [name: string]: unknown };

/** The stored forecasts of the sample have `storedDays` days; `demoDocument` extends them to `days` days. */
const storedDays = 3;
const days = 8;

export const demoPlaces: readonly string[] = [
  ...Object.keys(sample),
  ...Object.keys(samplePlaces),
].toSorted();

export function demoZone(place: string): Zone {
  return Zone.of(sampleZones[place] ?? samplePlaces[place]?.timezone);
}

/**
 * Returns a document of the sample with its original dates, which `SampleStore` moves to today; undefined if
 * the place does not have it.
 */
export function demoDocument(place: string, product: string): Json | undefined {
  const described = samplePlaces[place];
  if (described)
    return new MadeUpWeather(described, demoZone(place).dateAt(sampleTime / 1000)).document(product);
  const stored = sample[place]?.[product];
  if (product === 'models') return modelsIn(demoDocument(place, 'forecast'), place);
  if (!isObject(stored)) return undefined;
  if (product !== 'forecast' && product !== 'hourly') return stored;
  if ('daily' in stored) return withMoreDays(stored, storedDays, days);
  return withMorePeriods(stored, product === 'hourly' ? 24 : 2, days - 2);
}

function modelsIn(forecast: Json | undefined, place: string): Json | undefined {
  const daily = forecast?.['daily'];
  if (!isObject(daily)) return undefined;
  return modelsOf({ ...forecast, daily: daily as { [name: string]: number[] } }, place);
}

/**
 * Adds the precipitation of the next quarters of an hour to current weather in the format of Open-Meteo.
 * Other documents stay as they are.
 */
export function withQuarters(document: unknown, place: string, now: number): unknown {
  const isOpenMeteo = isObject(document) && 'current_units' in document;
  return isOpenMeteo ? { ...document, ...quartersAfter(now, place) } : document;
}
