/** A dialect of JSON Schema, described by its differences from 2020-12. */
export interface Dialect {
  /** Keywords of other dialects, which are ignored. */
  readonly ignored: ReadonlySet<string>;
  /** Whether the keywords beside a `$ref` are ignored. */
  readonly refStandsAlone: boolean;
  /** Whether an `$id` such as "#name" names a location, as `$anchor` does in newer dialects. */
  readonly anchorsById: boolean;
  /** Whether the items that match `contains` count as evaluated for `unevaluatedItems`. */
  readonly containsEvaluates: boolean;
}

const since2020 = ['prefixItems', '$dynamicRef', '$dynamicAnchor'];
const since2019 = [
  ...since2020,
  '$recursiveRef',
  '$recursiveAnchor',
  '$anchor',
  'unevaluatedItems',
  'unevaluatedProperties',
  'dependentRequired',
  'dependentSchemas',
  'minContains',
  'maxContains',
];

const draft2020: Dialect = {
  ignored: new Set(['$recursiveRef', '$recursiveAnchor']),
  refStandsAlone: false,
  anchorsById: false,
  containsEvaluates: true,
};
const draft2019: Dialect = { ...draft2020, ignored: new Set(since2020), containsEvaluates: false };
const draft7: Dialect = {
  ...draft2019,
  ignored: new Set(since2019),
  refStandsAlone: true,
  anchorsById: true,
};
const draft6: Dialect = { ...draft7, ignored: new Set([...since2019, 'if', 'then', 'else']) };

/** The dialects by their URI in `$schema`, without the scheme and without an empty fragment. */
const dialects: ReadonlyMap<string, Dialect> = new Map([
  ['json-schema.org/draft/2020-12/schema', draft2020],
  ['json-schema.org/draft/2019-09/schema', draft2019],
  ['json-schema.org/draft-07/schema', draft7],
  ['json-schema.org/draft-06/schema', draft6],
]);

/** The dialect of a schema without `$schema`. */
export const defaultDialect = draft2020;

/** The dialect that a `$schema` names; undefined if it is not supported. */
export function dialectOf($schema: unknown): Dialect | undefined {
  if (typeof $schema !== 'string') return undefined;
  return dialects.get($schema.replace(/^https?:\/\//, '').replace(/#$/, ''));
}

/** The error text for a dialect that is not supported. */
export function unsupportedDialect($schema: unknown): string {
  const text = JSON.stringify(typeof $schema === 'string' ? $schema.slice(0, 200) : $schema);
  return `unsupported "$schema": ${text}; expected JSON Schema 2020-12, 2019-09, draft-07 or draft-06`;
}
