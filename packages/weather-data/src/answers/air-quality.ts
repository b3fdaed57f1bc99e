import { airBand, airMeasures } from '../providers/open-meteo/air-quality.ts';
import type { Fetched } from '../cache/upstream-document.ts';
import type { Place } from '../places/place.ts';
import { inUnit, unitOf } from '../model/units.ts';
import { observedAt } from '../model/upcoming.ts';
import type { AirQuality } from '../model/series.ts';
import { type Answer, composeAnswer } from './answer.ts';
import type { Subject } from '../text/provenance.ts';

export function airQualityAnswer(fetched: Fetched<AirQuality>, place: Place, now: number): Answer {
  const { time, zone, values, grid } = fetched.model;
  const known = Object.entries(values).filter(([, value]) => value !== null);
  const unknown = Object.entries(values).filter(([, value]) => value === null);
  const lines = known.map(([name, value]) => airText(name, value!));
  if (known.length === 0) lines.push('No data for this place');
  else if (unknown.length > 0)
    lines.push(`no data: ${unknown.map(([name]) => airMeasures[name]!.label).join(', ')}`);
  const observed = observedAt(time, fetched, now);
  const subject: Subject = { place, grid, zone: zone.name, issuedAt: null, ...observed };
  const facts = {
    air: {
      time: zone.textAt(time),
      ...Object.fromEntries(Object.entries(values).flatMap(([name, value]) => airFacts(name, value))),
    },
  };
  return composeAnswer(fetched, subject, now, [zone.textAt(time), ...lines].join('\n'), facts);
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
