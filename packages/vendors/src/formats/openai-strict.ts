import { isObject } from '@mcp/kit';
import type { JsonSchema } from '../content/json-schema.ts';
import { inlineReferences, type Report, rewriteSchema } from '../content/rewrite-schema.ts';

/** Keywords that OpenAI's strict mode refuses; they are dropped with a note. */
const refused = [
  'allOf',
  'not',
  'if',
  'then',
  'else',
  'dependentRequired',
  'dependentSchemas',
  'patternProperties',
  'propertyNames',
  'minProperties',
  'maxProperties',
  'unevaluatedProperties',
  'contains',
  'minContains',
  'maxContains',
  'uniqueItems',
  'prefixItems',
  'default',
  '$schema',
];

/**
 * The schema, rewritten into the subset that OpenAI's strict mode accepts; undefined if the subset cannot
 * express the schema. In this subset, objects allow no unknown properties, and all properties are required:
 * an optional property allows null instead. `restoreOptional` removes these nulls from the arguments of a
 * call.
 * @see https://platform.openai.com/docs/guides/structured-outputs/supported-schemas
 */
export function strictSchema(schema: JsonSchema, report: Report): JsonSchema | undefined {
  let expressible = true;
  const impossible = (path: string, message: string) => {
    expressible = false;
    report(path, message);
  };
  const strict = rewriteSchema(
    inlineReferences(schema, report),
    (each, path) => {
      const kept = Object.fromEntries(
        Object.entries(each).filter(([key]) => {
          if (refused.includes(key) && key !== '$schema')
            report(path, `Dropped "${key}": strict mode refuses it`);
          return !refused.includes(key);
        }),
      );
      if (Array.isArray(kept['oneOf'])) {
        kept['anyOf'] = kept['oneOf'];
        delete kept['oneOf'];
        report(path, 'Replaced "oneOf" by "anyOf"');
      }
      const problem = unlimited(kept, path);
      if (problem !== undefined) impossible(path, problem);
      return isObjectSchema(kept) ? closed(kept, path, impossible) : kept;
    },
    report,
  );
  if (strict['type'] !== 'object' || strict['anyOf'] !== undefined) {
    impossible('', 'Not strict: the root must be an object without "anyOf"');
  }
  return expressible ? strict : undefined;
}

/** Maximum number of levels of nested objects and arrays in strict mode. */
const maxNesting = 10;

/** Why strict mode would refuse the whole request because of this schema; undefined if it would accept it. */
function unlimited(schema: JsonSchema, path: string): string | undefined {
  if (!['type', 'anyOf', 'enum', 'const', '$ref', 'properties'].some((key) => schema[key] !== undefined))
    return 'Not strict: a schema without "type" allows any value';
  if (isArraySchema(schema) && !isObject(schema['items'])) return 'Not strict: the array has no "items"';
  const nesting = path.match(/\/(?:properties\/|items\b)/g)?.length ?? 0;
  return nesting > maxNesting ? `Not strict: deeper than ${maxNesting} levels` : undefined;
}

export function isArraySchema({ type }: JsonSchema): boolean {
  return type === 'array' || (Array.isArray(type) && type.includes('array'));
}

function isObjectSchema({ type, properties }: JsonSchema): boolean {
  return type === 'object' || (Array.isArray(type) && type.includes('object')) || properties !== undefined;
}

function closed(schema: JsonSchema, path: string, impossible: Report): JsonSchema {
  const { properties = {}, required = [], additionalProperties, ...rest } = schema;
  if (
    isObject(additionalProperties) ||
    (additionalProperties === true && Object.keys(properties as object).length === 0)
  ) {
    impossible(path, 'Not strict: "additionalProperties" allows properties that the schema does not list');
  }
  const names = Object.keys(properties as object);
  if (!Object.values(properties as object).every(isObject))
    impossible(path, 'Not strict: a property without a schema allows any value');
  if (additionalProperties === undefined && names.length === 0 && schema['properties'] === undefined) {
    impossible(path, 'Not strict: an object without "properties" allows any property');
  }
  const members = Object.entries(properties as Record<string, unknown>).map(([name, member]) => [
    name,
    (required as unknown[]).includes(name) || !isObject(member) ? member : nullable(member),
  ]);
  return { ...rest, properties: Object.fromEntries(members), required: names, additionalProperties: false };
}

function nullable(schema: JsonSchema): JsonSchema {
  const { type } = schema;
  if (allowsNull(schema)) return schema;
  if (typeof type === 'string' && schema['enum'] === undefined && schema['const'] === undefined) {
    return { ...schema, type: [type, 'null'] };
  }
  return { anyOf: [schema, { type: 'null' }] };
}

/** Whether a schema allows null, judged by its own keywords without following references. */
function allowsNull({ type, anyOf, oneOf, enum: values, const: constant }: JsonSchema): boolean {
  if (type === 'null' || (Array.isArray(type) && type.includes('null')) || constant === null) return true;
  if (Array.isArray(values)) return values.includes(null);
  const alternatives = [anyOf, oneOf].find(Array.isArray);
  if (alternatives) return alternatives.some((each: unknown) => isObject(each) && allowsNull(each));
  return type === undefined && constant === undefined;
}

/** Removes each null of an optional property, unless the tool's own schema allows null there. */
export function restoreOptional(value: unknown, schema: unknown): unknown {
  if (!isObject(schema)) return value;
  if (Array.isArray(value)) return value.map((each) => restoreOptional(each, schema['items']));
  if (!isObject(value)) return value;
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const kept = Object.entries(value).filter(([name, member]) => {
    const property = properties[name];
    return member !== null || required.includes(name) || !isObject(property) || allowsNull(property);
  });
  return Object.fromEntries(kept.map(([name, member]) => [name, restoreOptional(member, properties[name])]));
}
