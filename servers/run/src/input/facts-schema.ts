import { jsonSchema } from '@mcp/protocol';
import type { RunFacts } from '@mcp/run-commands';

type JsonSchema = Parameters<typeof jsonSchema>[0];

const lines: JsonSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: { line: { type: 'integer' }, text: { type: 'string' } },
    required: ['line', 'text'],
    additionalProperties: false,
  },
};
const properties: { readonly [Key in keyof RunFacts]: JsonSchema } = {
  run: { type: 'integer' },
  command: { type: 'string' },
  exitCode: { type: ['integer', 'null'] },
  signal: { type: ['string', 'null'] },
  stopped: { enum: ['timeout', 'cancelled', null] },
  durationMs: { type: ['integer', 'null'] },
  lines: { type: 'integer' },
  bytes: { type: 'integer' },
  droppedBytes: { type: 'integer' },
  sandbox: { enum: ['bubblewrap', 'unshare', null] },
  failures: lines,
  failingLines: { type: 'integer' },
  last: lines,
};

/** The schema of the structured content of a command's result. */
export const factsSchema = jsonSchema<RunFacts>(
  { type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
  (value) => value as RunFacts,
);
