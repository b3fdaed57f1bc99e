import { type Check, type Context, type JsonObject, listOf, placeName } from './check.ts';
import { canonical } from './values.ts';

/** The keywords of arrays. */
export const arrays: Check = (schema, value, path, context) => {
  if (!Array.isArray(value)) return undefined;
  const place = placeName(path);
  const { minItems, maxItems, uniqueItems } = schema;
  if (typeof minItems === 'number' && value.length < minItems)
    return `${place} must have at least ${minItems} items`;
  if (typeof maxItems === 'number' && value.length > maxItems)
    return `${place} must have at most ${maxItems} items`;
  if (uniqueItems === true && new Set(value.map((item) => canonical(item, context))).size < value.length) {
    return `${place} must have no item twice`;
  }
  return wrongItem(schema, value, path, context) ?? wrongCount(schema, value, path, context);
};

/** The schemas of the first items, and that of the rest, in the present form or the one before 2020-12. */
export function itemSchemas(schema: JsonObject): { first: readonly unknown[]; rest: unknown } {
  const { prefixItems, items, additionalItems } = schema;
  if (Array.isArray(items)) return { first: items, rest: additionalItems };
  return { first: listOf(prefixItems), rest: items };
}

function wrongItem(
  schema: JsonObject,
  value: readonly unknown[],
  path: string,
  context: Context,
): string | undefined {
  const { first, rest } = itemSchemas(schema);
  if (first.length === 0 && rest === undefined) return undefined;
  for (let index = 0; index < value.length; index++) {
    const wanted = index < first.length ? first[index] : rest;
    const wrong = wanted === undefined ? undefined : context.check(wanted, value[index], `${path}/${index}`);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function wrongCount(
  schema: JsonObject,
  value: readonly unknown[],
  path: string,
  context: Context,
): string | undefined {
  const { contains, minContains, maxContains } = schema;
  if (contains === undefined) return undefined;
  const count = value.filter((item) => context.check(contains, item, path) === undefined).length;
  const least = typeof minContains === 'number' ? minContains : 1;
  if (count < least) return `${placeName(path)} must contain ${least} items that fit "contains"`;
  if (typeof maxContains === 'number' && count > maxContains) {
    return `${placeName(path)} must contain at most ${maxContains} items that fit "contains"`;
  }
  return undefined;
}
