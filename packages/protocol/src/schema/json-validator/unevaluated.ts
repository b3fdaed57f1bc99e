import { isObject } from '@mcp/kit';
import { type Check, membersOf } from './check.ts';

export const unevaluatedKeywords = ['unevaluatedProperties', 'unevaluatedItems'];

/** Checks the keywords for parts that no other keyword has evaluated. */
export const unevaluated: Check = (schema, value, path, context, evaluated) => {
  const { unevaluatedProperties, unevaluatedItems } = schema;
  if (unevaluatedProperties !== undefined && isObject(value)) {
    if (unevaluatedProperties !== true) {
      for (const [name, inner] of membersOf(value, context.budget)) {
        if (evaluated?.has(name)) continue;
        const wrong = context.check(unevaluatedProperties, inner, `${path}/${name}`);
        if (wrong !== undefined) return wrong;
      }
    }
    evaluated?.addAll();
  }
  if (unevaluatedItems !== undefined && Array.isArray(value)) {
    if (unevaluatedItems !== true) {
      context.budget.spend(value.length);
      for (const [index, inner] of value.entries()) {
        if (evaluated?.has(index)) continue;
        const wrong = context.check(unevaluatedItems, inner, `${path}/${index}`);
        if (wrong !== undefined) return wrong;
      }
    }
    evaluated?.addAll();
  }
  return undefined;
};
