// Schemas and results as plain data, for programs that have nothing to do with a vendor.
export type { JsonSchema } from './content/json-schema.ts';
export { plainSchema } from './content/plain-schema.ts';
export {
  isImage,
  mediaOf,
  mediaPlaceholder,
  textOf,
  type Media,
  type ResultBlock,
} from './content/result-blocks.ts';
