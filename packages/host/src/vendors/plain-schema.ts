import { inlineReferences } from './rewrite-schema.ts';
import { rootAsObject } from './root-object.ts';
import type { Schema } from './vendor.ts';

/** A tool's schema for words of a person: its properties at the root, with the types that references name. */
export function plainSchema(schema: Schema): Schema {
  const ignore = () => {};
  return inlineReferences(rootAsObject(schema, ignore), ignore);
}
