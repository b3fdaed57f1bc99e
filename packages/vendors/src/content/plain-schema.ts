import { inlineReferences } from './rewrite-schema.ts';
import { rootAsObject } from './root-object.ts';
import type { Schema } from './vendor.ts';
import { wellFormed } from './well-formed.ts';

/**
 * A tool's schema for words of a person: its properties at the root, with the types that references name. Keywords that
 * no schema may have so are left out.
 */
export function plainSchema(schema: Schema): Schema {
  const ignore = () => {};
  return wellFormed(inlineReferences(rootAsObject(schema, ignore), ignore), ignore);
}
