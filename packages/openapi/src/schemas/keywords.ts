/** What the value of a keyword is: a schema, a list or a map of schemas, or data of a type. */
export type Kind =
  | 'schema'
  | 'list'
  | 'map'
  | 'names'
  | 'types'
  | 'values'
  | 'text'
  | 'number'
  | 'count'
  | 'flag'
  | 'any';

const kinds: Readonly<Record<Kind, string>> = {
  schema:
    'items additionalProperties not if then else contains propertyNames unevaluatedItems unevaluatedProperties',
  list: 'allOf anyOf oneOf prefixItems',
  map: 'properties patternProperties dependentSchemas',
  names: 'required',
  types: 'type',
  values: 'enum',
  text: 'title description format pattern contentEncoding contentMediaType',
  number: 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf',
  count: 'minLength maxLength minItems maxItems minContains maxContains minProperties maxProperties',
  flag: 'uniqueItems deprecated',
  any: 'const default dependentRequired',
};

/**
 * The keywords that are copied. Others have no effect on values, or are those of OpenAPI alone;
 * `x-mcp-header` in a document would let its author choose headers. Where a `$dynamicRef` was, every value is
 * accepted.
 */
export const keywordKinds: ReadonlyMap<string, Kind> = new Map(
  (Object.keys(kinds) as Kind[]).flatMap((kind) =>
    kinds[kind].split(' ').map((each) => [each, kind] as const),
  ),
);

/** The formats of JSON Schema. Those of OpenAPI, such as `int64`, make other validators complain. */
export const knownFormats: ReadonlySet<unknown> = new Set(
  (
    'date-time date time duration email idn-email hostname idn-hostname ipv4 ipv6 uri uri-reference iri ' +
    'iri-reference uuid uri-template json-pointer relative-json-pointer regex'
  ).split(' '),
);
