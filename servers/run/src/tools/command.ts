import { setTimeout } from 'node:timers/promises';
import { type Call, defineTool, jsonSchema, toolResult } from '@mcp/protocol';
import {
  argvFor,
  type Command,
  describeArgument,
  type Run,
  runFacts,
  runText,
  statusLine,
} from '@mcp/run-commands';
import type { RunContext } from '../context.ts';
import { interpretFor } from '../input/argument-names.ts';
import { factsSchema } from '../input/facts-schema.ts';
import { maxResultSize } from '../input/result-size.ts';

type Values = { readonly [argument: string]: unknown };

/** Milliseconds after which a running command becomes a task, if the client supports tasks. */
const promptMs = 2_000;

export function commandTool(command: Command, structured: boolean) {
  const { name, title, description, readOnly, network } = command;
  const definition = {
    name,
    ...(title !== undefined && { title }),
    description,
    annotations: { ...(readOnly && { readOnlyHint: true }), openWorldHint: network },
    _meta: maxResultSize,
    inputSchema: inputOf(command),
    task: 'optional' as const,
    interpret: interpretFor(command),
  };
  if (!structured)
    return defineTool({
      ...definition,
      run: async (args: Values, call: Call<RunContext>) => runText(await runCommand(name, args, call)),
    });
  return defineTool({
    ...definition,
    outputSchema: factsSchema,
    async run(args: Values, call: Call<RunContext>) {
      const run = await runCommand(name, args, call);
      return toolResult({ content: statusLine(run), structuredContent: runFacts(run) });
    },
  });
}

function inputOf(command: Command) {
  const { arguments: schemas, required } = command;
  const properties = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, describeArgument(schema)]),
  );
  const schema = { type: 'object', properties, additionalProperties: false };
  return jsonSchema<Values>({ ...schema, ...(required.length > 0 && { required }) }, (args) => {
    argvFor(command, args);
    return args as Values;
  });
}

async function runCommand(name: string, args: Values, call: Call<RunContext>): Promise<Run> {
  let reports = 0;
  const running = call.context.runner.start(name, args, {
    signal: call.signal,
    onProgress: (message) => call.progress(++reports, undefined, message),
  });
  const ended = running.then(() => true);
  if (!(await Promise.race([ended, setTimeout(promptMs, false, { ref: false })])))
    await call.asTask(`Running ${name}`);
  return running;
}
