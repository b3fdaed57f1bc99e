import { type Check, listOf, placeName } from './check.ts';

/** References, and the keywords that combine schemas. */
export const applicators: Check = (schema, value, path, context) => {
  for (const keyword of ['$ref', '$dynamicRef'] as const) {
    const reference = schema[keyword];
    if (typeof reference !== 'string') continue;
    const wrong = context.check(context.resolve(keyword, reference, schema), value, path);
    if (wrong !== undefined) return wrong;
  }
  const fits = (inner: unknown) => context.check(inner, value, path) === undefined;
  const { allOf, anyOf, oneOf, not, if: condition } = schema;
  for (const inner of listOf(allOf)) {
    const wrong = context.check(inner, value, path);
    if (wrong !== undefined) return wrong;
  }
  if (Array.isArray(anyOf) && !anyOf.some(fits)) return `${placeName(path)} must fit one of "anyOf"`;
  if (Array.isArray(oneOf)) {
    const count = oneOf.filter(fits).length;
    if (count !== 1) return `${placeName(path)} must fit exactly one of "oneOf", not ${count}`;
  }
  if (not !== undefined && fits(not)) return `${placeName(path)} must not fit "not"`;
  if (condition === undefined) return undefined;
  const branch = fits(condition) ? schema['then'] : schema['else'];
  return branch === undefined ? undefined : context.check(branch, value, path);
};
