import { isObject } from '@mcp/kit';
import type { JsonObject } from '../jsonrpc/message.ts';

/** Keywords whose values are data, not schemas. */
const data = new Set(['const', 'default', 'enum', 'examples']);
/** Keywords whose values map arbitrary names to schemas. */
const named = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);
/** Keywords whose values are schemas, or lists of schemas. */
const applying = new Set([
  'items',
  'prefixItems',
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'contentSchema',
]);

/**
 * Calls `visit` for each object in a document that may be a schema, outer ones first. `outer` is what `visit`
 * returned for the enclosing schema, or `first`. `isKnown` is false for an object within an unknown keyword:
 * it is a schema only if a reference leads to it. `spend` is called with the number of steps taken.
 */
export function eachSchema<T>(
  document: unknown,
  first: T,
  visit: (schema: JsonObject, outer: T, isKnown: boolean) => T,
  spend: (steps: number) => void = () => {},
): void {
  // Not recursive, because the many levels of a schema could exhaust the stack.
  const waiting = [{ at: document, outer: first, isMap: false, isKnown: true }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { at, isMap, isKnown } = next;
    if (typeof at !== 'object' || at === null) continue;
    const isSchema = !isMap && isObject(at);
    const outer = isSchema ? visit(at, next.outer, isKnown) : next.outer;
    const members = Object.entries(at);
    spend(4 * (1 + members.length));
    for (const [key, inner] of members) {
      if (isSchema && data.has(key)) continue;
      const isNamed = isSchema && named.has(key);
      const isStill = isKnown && (!isSchema || isNamed || applying.has(key));
      waiting.push({ at: inner, outer, isMap: isNamed, isKnown: isStill });
    }
  }
}
