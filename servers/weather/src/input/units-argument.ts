import * as z from 'zod';
import { invalidArgument, quoted, type UnitSystem, unitSystems } from '@mcp/weather-data';

export const unitsInput = z.enum(unitSystems).optional();

/** Parses the variable `units` of a URI. Throws a `WeatherError`. */
export function parseUnits(text: string): UnitSystem {
  const units = unitSystems.find((system) => system === text);
  if (units) return units;
  throw invalidArgument('units', `Invalid units: ${quoted(text)}; expected ${unitSystems.join(', ')}`);
}
