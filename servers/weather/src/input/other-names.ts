import { renameArguments, type Tool } from '@mcp/protocol';

type Arguments = Parameters<typeof renameArguments>[0];
type Names = Parameters<typeof renameArguments>[1];

const placeNames: Names = { location: 'place', city: 'place', places: 'place', locations: 'place' };
const coordinateNames: Names = { lat: 'latitude', lon: 'longitude', lng: 'longitude', long: 'longitude' };
const unitNames: Names = { unit: 'units', unit_system: 'units' };

/** Understands other names of `place`, a pair of coordinates instead of it, and the names in `more`. */
export function withPlaceNames(more: Names = {}): (args: Arguments) => Arguments {
  return (args) => renameArguments(withoutCoordinates(args), { ...placeNames, ...unitNames, ...more });
}

/** Understands other names of arguments. */
export function withNames(names: Names): (args: Arguments) => Arguments {
  return (args) => renameArguments(args, names);
}

/** Understands `lat` and the like as the two arguments of a point. */
export const pointNames: Names = coordinateNames;

/** The arguments with a pair of numbers as one `place`, unless they have a place, too. */
function withoutCoordinates(args: Arguments): Arguments {
  const { latitude, longitude, ...rest } = renameArguments(args, coordinateNames);
  const isPair = [latitude, longitude].every(
    (each) => each !== undefined && each !== '' && !isNaN(Number(each)),
  );
  const hasPlace = ['place', ...Object.keys(placeNames)].some((name) => name in rest);
  return isPair && !hasPlace ? { ...rest, place: `${Number(latitude)},${Number(longitude)}` } : args;
}

/** The same tool under other names, which are not listed. */
export function otherNames<Context>(tool: Tool<Context>, ...names: readonly string[]): Tool<Context>[] {
  return names.map((name) => ({ ...tool, name, definition: { ...tool.definition, name, listed: false } }));
}
