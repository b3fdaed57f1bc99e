import { type Call, defineTool, jsonSchema, renameArguments, toolResult } from '@mcp/protocol';
import { outputPage } from '@mcp/run-commands';
import type { RunContext } from '../context.ts';
import { maxResultSize } from '../input/result-size.ts';

interface Input {
  readonly cursor: string;
  readonly match?: string;
}

const inputSchema = jsonSchema<Input>(
  {
    type: 'object',
    properties: {
      cursor: { type: 'string', description: 'Of an answer, or the number of a run' },
      match: { type: 'string', description: 'Only lines that contain this text' },
    },
    required: ['cursor'],
    additionalProperties: false,
  },
  (value) => value as Input,
);
const names = {
  run: 'cursor',
  run_id: 'cursor',
  id: 'cursor',
  pattern: 'match',
  query: 'match',
  search: 'match',
  text: 'match',
};

/** The tool that reads further parts of the output of a run. */
export function readOutput(structured: boolean) {
  const definition = {
    name: 'read_output',
    description: 'Reads the output of a run from a cursor on.',
    annotations: { readOnlyHint: true, openWorldHint: false },
    _meta: maxResultSize,
    inputSchema,
    interpret: (args: Parameters<typeof renameArguments>[0]) => {
      const named = renameArguments(args, names);
      return typeof named['cursor'] === 'number' ? { ...named, cursor: String(named['cursor']) } : named;
    },
  };
  if (!structured)
    return defineTool({
      ...definition,
      run: ({ cursor, match }, { context: { runner } }: Call<RunContext>) =>
        outputPage(runner, cursor, match).text,
    });
  return defineTool({
    ...definition,
    outputSchema,
    run({ cursor, match }, { context: { runner } }: Call<RunContext>) {
      const page = outputPage(runner, cursor, match);
      return toolResult({ content: page.status, structuredContent: page.facts });
    },
  });
}

type Page = ReturnType<typeof outputPage>['facts'];

const outputSchema = jsonSchema<Page>(
  {
    type: 'object',
    properties: { run: { type: 'integer' }, text: { type: 'string' }, next: { type: ['string', 'null'] } },
    required: ['run', 'text', 'next'],
    additionalProperties: false,
  },
  (value) => value as Page,
);
