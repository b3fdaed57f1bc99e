import { type Check, listOf, placeName } from './check.ts';
import { hasEqualItems } from './values.ts';

export const arrayKeywords = ['minItems', 'maxItems', 'uniqueItems', 'prefixItems', 'items', 'contains'];

export const arrays: Check = (schema, value, path, context, evaluated) => {
  if (!Array.isArray(value)) return undefined;
  const place = placeName(path);
  const { minItems, maxItems, uniqueItems } = schema;
  if (typeof minItems === 'number' && value.length < minItems)
    return `${place} must have at least ${minItems} items`;
  if (typeof maxItems === 'number' && value.length > maxItems)
    return `${place} must have at most ${maxItems} items`;
  if (uniqueItems === true && hasEqualItems(value, context.budget)) return `${place} must have no item twice`;
  return (
    wrongItem(schema, value, path, context, evaluated) ?? wrongCount(schema, value, path, context, evaluated)
  );
};

const wrongItem: Check = (schema, value, path, context, evaluated) => {
  const items = listOf(value);
  const first = listOf(schema['prefixItems']);
  const rest = schema['items'];
  if (rest !== undefined) evaluated?.addAll();
  const count = rest === undefined ? Math.min(first.length, items.length) : items.length;
  for (let index = 0; index < count; index++) {
    evaluated?.add(index);
    const wanted = index < first.length ? first[index] : rest;
    const wrong = context.check(wanted, items[index], `${path}/${index}`);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
};

const wrongCount: Check = (schema, value, path, context, evaluated) => {
  const { contains, minContains, maxContains } = schema;
  if (contains === undefined) return undefined;
  let count = 0;
  let most = 0;
  for (const [index, item] of listOf(value).entries()) {
    const fits = context.fits(contains, item, path);
    if (fits === false) continue;
    most++;
    if (fits === true) count++;
    if (context.dialect.containsEvaluates) evaluated?.add(index);
  }
  const least = typeof minContains === 'number' ? minContains : 1;
  if (most < least) return `${placeName(path)} must contain ${least} items that fit "contains"`;
  if (typeof maxContains === 'number' && count > maxContains) {
    return `${placeName(path)} must contain at most ${maxContains} items that fit "contains"`;
  }
  return undefined;
};
