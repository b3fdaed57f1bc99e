/** What the value of a keyword is: a schema, a list or a map of schemas, a list of names, or data. */
export type Kind = 'schema' | 'list' | 'map' | 'names' | 'data';

const kinds: Readonly<Record<Kind, string>> = {
  schema:
    'items additionalProperties not if then else contains propertyNames unevaluatedItems unevaluatedProperties',
  list: 'allOf anyOf oneOf prefixItems',
  map: 'properties patternProperties dependentSchemas',
  names: 'required',
  data:
    'type enum const default title description format pattern minimum maximum exclusiveMinimum exclusiveMaximum ' +
    'multipleOf minLength maxLength minItems maxItems uniqueItems minContains maxContains minProperties ' +
    'maxProperties dependentRequired contentEncoding contentMediaType deprecated',
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

export const types: ReadonlySet<unknown> = new Set(
  'null boolean object array number integer string'.split(' '),
);
