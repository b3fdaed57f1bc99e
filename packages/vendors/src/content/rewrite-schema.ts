import { isObject } from '@mcp/kit';
import type { JsonSchema } from './json-schema.ts';

/** Called when something in a schema was lost, with its place (a JSON Pointer) and a message. */
export type Report = (path: string, message: string) => void;

/** Called with a schema and its path, after its subschemas have been rewritten. Returns the new schema. */
export type Rewrite = (schema: JsonSchema, path: string) => JsonSchema;

const maxDepth = 64;

const inMap = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const inList = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const alone = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'];

/**
 * Rewrites a schema and all its subschemas, innermost first. Subschemas nested deeper than 64 levels become
 * `{}`.
 */
export function rewriteSchema(
  schema: JsonSchema,
  rewrite: Rewrite,
  report: Report,
  path = '',
  depth = 0,
): JsonSchema {
  if (depth > maxDepth) {
    report(path, `Replaced by {}: deeper than ${maxDepth} levels`);
    return {};
  }
  const child = (value: unknown, at: string): unknown =>
    isObject(value) ? rewriteSchema(value, rewrite, report, at, depth + 1) : value;
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    const at = `${path}/${escapePointer(key)}`;
    if (inMap.includes(key) && isObject(value)) {
      const members = Object.entries(value).map(([name, each]) => [
        name,
        child(each, `${at}/${escapePointer(name)}`),
      ]);
      return [key, Object.fromEntries(members)];
    }
    if (inList.includes(key) && Array.isArray(value)) {
      return [key, value.map((each, index) => child(each, `${at}/${index}`))];
    }
    return [key, alone.includes(key) ? child(value, at) : value];
  });
  return rewrite(Object.fromEntries(entries), path);
}

export function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Keywords whose values are data, not schemas. */
const data = ['const', 'enum', 'default', 'examples'];

/** Maximum number of objects and arrays after references were replaced by their targets. */
const maxExpandedNodes = 20_000;

/**
 * Replaces references within the document by their targets. Recursive references become `{}`, and are
 * reported.
 */
export function inlineReferences(root: JsonSchema, report: Report): JsonSchema {
  let nodes = 0;
  const resolve = (value: unknown, path: string, open: readonly string[], isMap = false): unknown => {
    if (Array.isArray(value)) {
      nodes += value.length;
      return value.map((each, index) => resolve(each, `${path}/${index}`, open));
    }
    if (!isObject(value)) return value;
    nodes++;
    const { $ref, ...beside } = value;
    if (typeof $ref === 'string' && !isMap) {
      const tooMuch = open.includes($ref) || open.length >= maxDepth || nodes > maxExpandedNodes;
      const found = tooMuch ? undefined : lookUp(root, $ref);
      if (!found) report(path, `Replaced by {}: cannot inline the reference "${$ref}"`);
      return resolve({ ...found, ...beside }, path, found ? [...open, $ref] : open);
    }
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => !(path === '' && (key === '$defs' || key === 'definitions')))
        .map(([key, each]) => [
          key,
          // In a map of properties, "default" may be the name of a property, whose value is a schema.
          data.includes(key) && !isMap
            ? each
            : resolve(each, `${path}/${escapePointer(key)}`, open, inMap.includes(key) && !isMap),
        ]),
    );
  };
  return resolve(root, '', []) as JsonSchema;
}

/** The schema to which a reference within the document leads; undefined if there is none. */
export function lookUp(root: JsonSchema, reference: string): JsonSchema | undefined {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  let at: unknown = root;
  for (const part of reference.split('/').slice(1)) {
    const key = decodePointer(part);
    at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return isObject(at) ? at : undefined;
}

function decodePointer(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return part;
  }
}
