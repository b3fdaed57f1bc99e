// Schemas and results as plain data, for programs that use no vendor's format.
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
