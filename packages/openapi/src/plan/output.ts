import { isObject } from '@mcp/kit';
import type { OpenApiDocument } from '../document/open-api-document.ts';
import type { FoundOperation } from '../document/operations.ts';
import { inside, type Json, type Place } from '../document/place.ts';
import { SchemaConverter } from '../schemas/schema-converter.ts';
import { isJsonType } from './argument.ts';

const maxDepth = 16;

/**
 * The JSON Schema of the results, if every successful response is a JSON object; otherwise undefined. A
 * schema of more than `maxLength` characters is replaced by that of any object.
 */
export function outputSchemaOf(
  document: OpenApiDocument,
  { value, pointer }: FoundOperation,
  maxLength: number,
): { [name: string]: unknown } | undefined {
  const here = inside(pointer, 'responses');
  const successes = Object.entries(isObject(value['responses']) ? value['responses'] : {})
    .filter(([status]) => /^2(?:\d\d|XX)$/.test(status))
    .map(([status, response]) => schemaOf(document.resolve(response, inside(here, status))));
  const known: Known = new Map();
  const schemas = successes.flatMap((schema) =>
    schema && describesObject(document, schema, known) ? [schema] : [],
  );
  if (schemas.length === 0 || schemas.length < successes.length) return undefined;
  const converter = new SchemaConverter(document, 'output');
  // The root must be a schema of objects itself, not a reference to one.
  const converted = schemas.map((schema) => {
    const { value: root, pointer: at } = document.resolve(schema.value, schema.pointer);
    return converter.convert(root, at) as Json;
  });
  const schema = {
    ...(converted.length === 1 ? converted[0] : { anyOf: converted }),
    type: 'object',
    ...converter.definitions,
  };
  return JSON.stringify(schema).length > maxLength ? { type: 'object' } : schema;
}

function schemaOf({ value: { content }, pointer }: Place): Place | undefined {
  if (!isObject(content)) return undefined;
  const types = Object.keys(content);
  const type = types.find(isJsonType);
  const media = type === undefined ? undefined : content[type];
  if (type === undefined || !isObject(media) || !isObject(media['schema'])) return undefined;
  return { value: media['schema'], pointer: inside(pointer, 'content', type, 'schema') };
}

/**
 * Whether schemas describe objects, by their pointers. One that contains itself is not one by that alone, and
 * each is looked at once: references could lead through it in very many ways.
 */
type Known = Map<string, boolean>;

function describesObject(document: OpenApiDocument, schema: Place, known: Known, depth = 0): boolean {
  const place = document.resolve(schema.value, schema.pointer);
  const found = known.get(place.pointer);
  if (found !== undefined) return found;
  known.set(place.pointer, false);
  const is = depth <= maxDepth && isObjectSchema(document, place, known, depth);
  known.set(place.pointer, is);
  return is;
}

function isObjectSchema(
  document: OpenApiDocument,
  { value, pointer }: Place,
  known: Known,
  depth: number,
): boolean {
  if (value['nullable'] === true) return false;
  const isOne = (keyword: string) => (each: unknown, index: number) =>
    isObject(each) &&
    describesObject(document, { value: each, pointer: inside(pointer, keyword, index) }, known, depth + 1);
  const { type, properties, allOf, anyOf, oneOf } = value;
  if (type !== undefined) return type === 'object';
  if (isObject(properties)) return true;
  if (Array.isArray(allOf) && allOf.some(isOne('allOf'))) return true;
  if (Array.isArray(anyOf)) return anyOf.length > 0 && anyOf.every(isOne('anyOf'));
  return Array.isArray(oneOf) && oneOf.length > 0 && oneOf.every(isOne('oneOf'));
}
