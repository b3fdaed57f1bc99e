import { Failure, maxForecastDays, quoted, type UnitSystem, unitSystems } from '@mcp/weather-data';

/** Parses the `days` of a URI. Throws a `Failure`. */
export function parseDays(text: string): number {
  const days = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (days >= 1 && days <= maxForecastDays) return days;
  throw new Failure('invalid_argument', `Invalid days: ${quoted(text)}; expected 1 to ${maxForecastDays}`, {
    argument: 'days',
  });
}

/** Parses the `units` of a URI. Throws a `Failure`. */
export function parseUnits(text: string): UnitSystem {
  const units = unitSystems.find((system) => system === text);
  if (units) return units;
  throw new Failure(
    'invalid_argument',
    `Invalid units: ${quoted(text)}; expected ${unitSystems.join(', ')}`,
    { argument: 'units' },
  );
}
