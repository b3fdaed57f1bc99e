import { invalidArgument, maxForecastDays, quoted, type UnitSystem, unitSystems } from '@mcp/weather-data';

// Apart from the schemas of arguments: the resources are loaded before the handshake, and zod after it.

/** Parses the variable `days` of a URI. Throws a `WeatherError`. */
export function parseDays(text: string): number {
  const days = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (days >= 1 && days <= maxForecastDays) return days;
  throw invalidArgument('days', `Invalid days: ${quoted(text)}; expected 1 to ${maxForecastDays}`);
}

/** Parses the variable `units` of a URI. Throws a `WeatherError`. */
export function parseUnits(text: string): UnitSystem {
  const units = unitSystems.find((system) => system === text);
  if (units) return units;
  throw invalidArgument('units', `Invalid units: ${quoted(text)}; expected ${unitSystems.join(', ')}`);
}
