import { renameArguments, type Tool } from '@mcp/protocol';

type Arguments = Parameters<typeof renameArguments>[0];
type Names = Parameters<typeof renameArguments>[1];

const placeNames: Names = { location: 'place', city: 'place', places: 'place', locations: 'place' };
const coordinateNames: Names = { lat: 'latitude', lon: 'longitude', lng: 'longitude', long: 'longitude' };
const unitNames: Names = { unit: 'units', unit_system: 'units' };

/**
 * Returns a function for `interpret` of a tool, which runs only on arguments that the schema of the tool
 * refuses. It renames other names of `place` and `units`, and the names in `more`, and turns coordinates into
 * `place`.
 */
export function otherPlaceNames(more: Names = {}): (args: Arguments) => Arguments {
  return (args) => renameArguments(withoutCoordinates(args), { ...placeNames, ...unitNames, ...more });
}

/** Like {@link otherPlaceNames}, for a tool without `place`: renames only the names in `names`. */
export function otherArgumentNames(names: Names): (args: Arguments) => Arguments {
  return (args) => renameArguments(args, names);
}

/** Other names of the two arguments of a point, such as `lat` and `lon`. */
export const pointNames: Names = coordinateNames;

/** The arguments with a pair of numbers turned into one `place`, unless there is a `place` already. */
function withoutCoordinates(args: Arguments): Arguments {
  const { latitude, longitude, ...rest } = renameArguments(args, coordinateNames);
  const isPair = [latitude, longitude].every(
    (each) => each !== undefined && each !== '' && !isNaN(Number(each)),
  );
  const hasPlace = ['place', ...Object.keys(placeNames)].some((name) => name in rest);
  return isPair && !hasPlace ? { ...rest, place: `${Number(latitude)},${Number(longitude)}` } : args;
}

/** Copies of a tool under other names, which a client can call but does not find in the list of tools. */
export function otherToolNames<Context>(tool: Tool<Context>, ...names: readonly string[]): Tool<Context>[] {
  return names.map((name) => ({ ...tool, name, definition: { ...tool.definition, name, listed: false } }));
}
