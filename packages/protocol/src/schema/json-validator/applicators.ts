import { type Check, listOf, placeName, referenceKeywords } from './check.ts';

export const applicatorKeywords = [...referenceKeywords, 'allOf', 'anyOf', 'oneOf', 'not', 'if'];

/** Checks references, and the keywords that combine schemas. */
export const applicators: Check = (schema, value, path, context, evaluated) => {
  for (const keyword of referenceKeywords) {
    const reference = schema[keyword];
    if (typeof reference !== 'string') continue;
    const wrong = context.check(context.resolve(keyword, reference), value, path, evaluated);
    if (wrong !== undefined) return wrong;
  }
  const fits = (inner: unknown) => context.fits(inner, value, path, evaluated);
  const mayFit = (inner: unknown) => fits(inner) !== false;
  const { allOf, anyOf, oneOf, not, if: condition } = schema;
  for (const inner of listOf(allOf)) {
    const wrong = context.check(inner, value, path, evaluated);
    if (wrong !== undefined) return wrong;
  }
  if (Array.isArray(anyOf)) {
    // If `evaluated` is given, tries every schema: each that matches adds the parts that it evaluates.
    const isOne = evaluated ? anyOf.filter(mayFit).length > 0 : anyOf.some(mayFit);
    if (!isOne) return `${placeName(path)} must fit one of "anyOf"`;
  }
  if (Array.isArray(oneOf)) {
    const found = oneOf.map(fits).filter((each) => each !== false);
    const count = found.filter((each) => each === true).length;
    if (found.length === 0 || count > 1) {
      return `${placeName(path)} must fit exactly one of "oneOf", not ${count}`;
    }
  }
  if (not !== undefined && context.fits(not, value, path) === true) {
    return `${placeName(path)} must not fit "not"`;
  }
  if (condition === undefined) return undefined;
  const holds = fits(condition);
  const wrongIn = (branch: unknown) => context.check(branch, value, path, evaluated);
  const wrong = holds === false ? undefined : wrongIn(schema['then']);
  return holds === true || (holds === undefined && wrong === undefined) ? wrong : wrongIn(schema['else']);
};
