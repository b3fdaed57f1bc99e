import { airBand, airMeasures } from '../backend/providers/open-meteo/air-quality.ts';
import type { Ask } from '../backend/cache/upstream-document.ts';
import type { Place } from '../backend/places/place.ts';
import { inUnit, unitOf } from '../backend/model/units.ts';
import type { Weather } from '../context.ts';
import { placeKeyOf, rendered } from './answer.ts';
import type { Subject } from '../text/provenance.ts';
import { onceAMinute, type Rendered } from './rendered.ts';

/** The air at a place now. */
export async function airAnswer({ forecasts }: Weather, place: Place, ask: Ask): Promise<Rendered> {
  const read = await forecasts.airQuality(place, ask);
  const now = forecasts.clock.now();
  return onceAMinute(read, placeKeyOf(place), now, () => {
    const { time, zone, values, grid, notes } = read.model;
    const known = Object.entries(values).filter(([, value]) => value !== null);
    const unknown = Object.entries(values).filter(([, value]) => value === null);
    const lines = known.map(([name, value]) => airText(name, value!));
    if (known.length === 0) lines.push('No data for this place');
    else if (unknown.length > 0)
      lines.push(`no data: ${unknown.map(([name]) => airMeasures[name]!.label).join(', ')}`);
    const subject: Subject = { place, grid, zone: zone.name, issuedAt: null, stale: read.stale, notes };
    const facts = {
      air: {
        time: zone.textAt(time),
        ...Object.fromEntries(Object.entries(values).flatMap(([name, value]) => airFacts(name, value))),
      },
    };
    return rendered(read, subject, now, [zone.textAt(time), ...lines].join('\n'), facts);
  });
}

function airText(name: string, value: number): string {
  const { label, quantity } = airMeasures[name]!;
  const unit = unitOf(quantity, 'metric');
  const band = airBand(name, value);
  return `${label} ${inUnit(value, unit)}${unit.label === '' ? '' : ` ${unit.label}`}${band === undefined ? '' : ` (${band})`}`;
}

function airFacts(name: string, value: number | null): [string, unknown][] {
  const unit = unitOf(airMeasures[name]!.quantity, 'metric');
  const camel = name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()) + unit.suffix;
  if (value === null) return [[camel, null]];
  const band = airBand(name, value);
  return [
    [camel, inUnit(value, unit)],
    ...(band === undefined ? [] : ([[`${camel}Band`, band]] as [string, unknown][])),
  ];
}
