import type { JsonSchema } from './json-schema.ts';
import { inlineReferences } from './rewrite-schema.ts';
import { rootAsObject } from './root-object.ts';
import { wellFormed } from './well-formed.ts';

/**
 * A tool's schema for a command line or a form: all properties are at the root, and references are replaced
 * by their targets. Keywords whose values are not well formed are left out.
 */
export function plainSchema(schema: JsonSchema): JsonSchema {
  const ignore = () => {};
  return wellFormed(inlineReferences(rootAsObject(schema, ignore), ignore), ignore);
}
