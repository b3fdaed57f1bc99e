import { closestNames, isObject, quoted } from '@mcp/kit';
import { shown } from './document/place.ts';
import type { Selection } from './document/select-operations.ts';
import type { Limits, OpenApiOptions, OperationOptions } from './options.ts';

type Names<Options> = { readonly [Name in keyof Required<Options>]: true };

// The compiler compares these names with those of the types.
const ofAll: Names<OpenApiOptions> = {
  baseUrl: true,
  select: true,
  operations: true,
  headers: true,
  query: true,
  fetch: true,
  limits: true,
};
const ofSelect: Names<Selection> = { tags: true, ids: true, where: true };
const ofOperation: Names<OperationOptions> = {
  name: true,
  title: true,
  description: true,
  descriptions: true,
  omit: true,
  fixed: true,
  annotations: true,
  requires: true,
  structured: true,
};
const ofLimits: Names<Limits> = {
  maxTools: true,
  timeoutMs: true,
  maxResponseBytes: true,
  maxErrorLength: true,
  maxSchemaLength: true,
};

/** Throws an `Error` for an option of an unknown name, and for a limit that is not a number above 0. */
export function refuseUnknownOptions(options: unknown): void {
  const { select = {}, operations = {}, limits = {} } = known('The options', options, ofAll);
  known('`select`', select, ofSelect);
  for (const [id, each] of Object.entries(objectOf('`operations`', operations))) {
    known(`\`operations[${quoted(id)}]\``, each ?? {}, ofOperation);
  }
  for (const [name, limit] of Object.entries(known('`limits`', limits, ofLimits))) {
    if (limit === undefined || (typeof limit === 'number' && limit > 0)) continue;
    const found = typeof limit === 'number' ? `"${limit}"` : shown(limit);
    throw new Error(`Invalid \`limits.${name}\`: ${found}; expected a number above 0`);
  }
}

function objectOf(where: string, given: unknown): { readonly [name: string]: unknown } {
  if (isObject(given)) return given;
  throw new Error(`${where} must be an object`);
}

function known(where: string, given: unknown, names: object): { readonly [name: string]: unknown } {
  const options = objectOf(where, given);
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(names, name)) continue;
    throw new Error(`${where} cannot have ${quoted(name, 100)}${adviceOn(name, names)}`);
  }
  return options;
}

/** Where an option of another place belongs, or the nearest name, or all names. */
function adviceOn(name: string, names: object): string {
  const places = { select: ofSelect, limits: ofLimits, 'operations[id]': ofOperation, '': ofAll };
  const place = Object.entries(places).find(([, each]) => Object.hasOwn(each, name))?.[0];
  if (place !== undefined) return place === '' ? ', an option beside it' : `; it belongs in \`${place}\``;
  const [nearest] = closestNames(name, Object.keys(names), 1);
  return nearest === undefined
    ? `; expected ${Object.keys(names).join(', ')}`
    : `; did you mean "${nearest}"?`;
}
