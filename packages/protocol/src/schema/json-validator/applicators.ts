import { type Check, listOf, placeName, referenceKeywords } from './check.ts';

export const applicatorKeywords = [...referenceKeywords, 'allOf', 'anyOf', 'oneOf', 'not', 'if'];

/** References, and the keywords that combine schemas. */
export const applicators: Check = (schema, value, path, context, evaluated) => {
  for (const keyword of referenceKeywords) {
    const reference = schema[keyword];
    if (typeof reference !== 'string') continue;
    const wrong = context.check(context.resolve(keyword, reference), value, path, evaluated);
    if (wrong !== undefined) return wrong;
  }
  const fits = (inner: unknown) => context.check(inner, value, path, evaluated) === undefined;
  const { allOf, anyOf, oneOf, not, if: condition } = schema;
  for (const inner of listOf(allOf)) {
    const wrong = context.check(inner, value, path, evaluated);
    if (wrong !== undefined) return wrong;
  }
  if (Array.isArray(anyOf)) {
    // Each schema that matches evaluates parts of the value.
    const isOne = evaluated ? anyOf.filter(fits).length > 0 : anyOf.some(fits);
    if (!isOne) return `${placeName(path)} must fit one of "anyOf"`;
  }
  if (Array.isArray(oneOf)) {
    const count = oneOf.filter(fits).length;
    if (count !== 1) return `${placeName(path)} must fit exactly one of "oneOf", not ${count}`;
  }
  if (not !== undefined && context.check(not, value, path) === undefined) {
    return `${placeName(path)} must not fit "not"`;
  }
  if (condition === undefined) return undefined;
  const branch = fits(condition) ? schema['then'] : schema['else'];
  return branch === undefined ? undefined : context.check(branch, value, path, evaluated);
};
