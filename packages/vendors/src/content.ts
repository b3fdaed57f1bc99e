// Functions for schemas and results that do not depend on the format of a vendor.
export type { JsonSchema } from './content/json-schema.ts';
export { plainSchema } from './content/plain-schema.ts';
export { lookUp } from './content/rewrite-schema.ts';
export {
  isImage,
  mediaOf,
  mediaPlaceholder,
  textOf,
  textOfAll,
  type Media,
  type ResultBlock,
} from './content/result-blocks.ts';
