// Makes tools of chosen operations of a document.
export { openApiTools } from './open-api-tools.ts';

// Which operations, what is changed in their tools, and what is added to their requests.
export type { Limits, OpenApiOptions, OperationOptions, Values, ValuesOf } from './options.ts';
export type { Selection } from './document/select-operations.ts';
export type { Operation } from './document/operations.ts';
