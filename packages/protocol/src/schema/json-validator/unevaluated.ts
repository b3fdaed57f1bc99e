import { itemSchemas } from './arrays.ts';
import {
  type Check,
  type Context,
  entriesOf,
  has,
  isSchemaObject,
  type JsonObject,
  listOf,
} from './check.ts';
import { isNamed } from './objects.ts';

/** `unevaluatedProperties` and `unevaluatedItems`: the parts that no other keyword has evaluated. */
export const unevaluated: Check = (schema, value, path, context) => {
  const { unevaluatedProperties, unevaluatedItems } = schema;
  if (unevaluatedProperties !== undefined && isSchemaObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      if (isPropertyEvaluated(schema, value, name, context)) continue;
      const wrong = context.check(unevaluatedProperties, inner, `${path}/${name}`);
      if (wrong !== undefined) return wrong;
    }
  }
  if (unevaluatedItems !== undefined && Array.isArray(value)) {
    for (const [index, inner] of value.entries()) {
      if (isItemEvaluated(schema, value, index, context)) continue;
      const wrong = context.check(unevaluatedItems, inner, `${path}/${index}`);
      if (wrong !== undefined) return wrong;
    }
  }
  return undefined;
};

function isPropertyEvaluated(schema: JsonObject, value: JsonObject, name: string, context: Context): boolean {
  if (schema['additionalProperties'] !== undefined || isNamed(schema, name, context)) return true;
  return appliedSchemas(schema, value, context).some(
    (inner) =>
      inner['unevaluatedProperties'] !== undefined || isPropertyEvaluated(inner, value, name, context),
  );
}

function isItemEvaluated(
  schema: JsonObject,
  value: readonly unknown[],
  index: number,
  context: Context,
): boolean {
  const { first, rest } = itemSchemas(schema);
  if (rest !== undefined || index < first.length) return true;
  if (schema['contains'] !== undefined && context.check(schema['contains'], value[index], '') === undefined)
    return true;
  return appliedSchemas(schema, value, context).some(
    (inner) => inner['unevaluatedItems'] !== undefined || isItemEvaluated(inner, value, index, context),
  );
}

/** The subschemas that the same value matches, and that have therefore evaluated its parts. */
function appliedSchemas(schema: JsonObject, value: unknown, context: Context): JsonObject[] {
  const fits = (inner: unknown) => context.check(inner, value, '') === undefined;
  const { if: condition } = schema;
  const applied = [...listOf(schema['allOf']), ...listOf(schema['anyOf']), ...listOf(schema['oneOf'])].filter(
    fits,
  );
  for (const keyword of ['$ref', '$dynamicRef'] as const) {
    const reference = schema[keyword];
    if (typeof reference === 'string') applied.push(context.resolve(keyword, reference, schema));
  }
  if (condition !== undefined) {
    const held = fits(condition);
    if (held) applied.push(condition);
    applied.push(held ? schema['then'] : schema['else']);
  }
  for (const [name, inner] of entriesOf(schema['dependentSchemas'])) {
    if (isSchemaObject(value) && has(value, name)) applied.push(inner);
  }
  return applied.filter(isSchemaObject);
}
