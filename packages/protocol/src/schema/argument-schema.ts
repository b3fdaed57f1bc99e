import { isObject } from '@mcp/kit';
import type { JsonObject } from '../jsonrpc/message.ts';
const maxDepth = 16;

/** The schema, or the definition in the document `root` that its `$ref` names; undefined if missing. */
export function resolve(schema: unknown, root: JsonObject): JsonObject | undefined {
  let found = schema;
  for (let depth = 0; depth < maxDepth; depth++) {
    if (!isObject(found)) return undefined;
    const { $ref } = found;
    if (typeof $ref !== 'string') return found;
    if ($ref === '#') return root;
    const [, name] = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec($ref) ?? [];
    if (name === undefined) return undefined;
    const definitions = root['$defs'] ?? root['definitions'];
    found = isObject(definitions) && Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  }
  return undefined;
}

/** The schemas of `anyOf` or `oneOf`, one of which a value must match; empty if `schema` has neither. */
export function alternativesOf({ anyOf, oneOf }: JsonObject): readonly unknown[] {
  if (Array.isArray(anyOf)) return anyOf;
  return Array.isArray(oneOf) ? oneOf : [];
}

export type Properties = ReadonlyMap<string, JsonObject>;

/**
 * The properties that a schema of objects names, in itself, in its alternatives or in `allOf`; undefined if
 * it also accepts other names. A schema with `properties` but without `additionalProperties` counts as
 * accepting no other names, because an argument that the tool does not know is a mistake of the model.
 */
export function propertiesOf(schema: JsonObject, root = schema): Properties | undefined {
  const found = new Map<string, JsonObject>();
  if (!collect(schema, root, found, 0)) return undefined;
  return found.size > 0 || 'properties' in schema || isClosed(schema) ? found : undefined;
}

function collect(part: unknown, root: JsonObject, found: Map<string, JsonObject>, depth: number): boolean {
  const schema = resolve(part, root);
  if (!schema || depth > maxDepth) return false;
  const { additionalProperties, patternProperties, unevaluatedProperties, properties, allOf } = schema;
  if (patternProperties !== undefined) return false;
  if (isAccepting(additionalProperties) || isAccepting(unevaluatedProperties)) return false;
  for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
    if (!found.has(name)) found.set(name, isObject(property) ? property : {});
  }
  const parts = [...alternativesOf(schema), ...(Array.isArray(allOf) ? (allOf as unknown[]) : [])];
  return parts.every((each) => collect(each, root, found, depth + 1));
}

function isAccepting(keyword: unknown): boolean {
  return keyword === true || isObject(keyword);
}

function isClosed({ additionalProperties, unevaluatedProperties }: JsonObject): boolean {
  return additionalProperties === false || unevaluatedProperties === false;
}

/** The types that a schema accepts, as JSON Schema names them; empty if it accepts all. */
export function typesOf(part: unknown, root: JsonObject, depth = 0): readonly string[] {
  const schema = resolve(part, root);
  if (!schema || depth > maxDepth) return [];
  const { type, enum: values } = schema;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.filter((each) => typeof each === 'string');
  if ('const' in schema) return [typeOf(schema['const'])];
  if (Array.isArray(values)) return [...new Set(values.map(typeOf))];
  const alternatives = alternativesOf(schema).map((each) => typesOf(each, root, depth + 1));
  return alternatives.some((types) => types.length === 0) ? [] : [...new Set(alternatives.flat())];
}

/** The type of a JSON value, with its name in JSON Schema; `integer` for a whole number. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
}
