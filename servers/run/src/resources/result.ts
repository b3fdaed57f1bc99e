import { type Call, defineResource, type ResourceCall } from '@mcp/protocol';
import { runText } from '@mcp/run-commands';
import type { RunContext } from '../context.ts';
import { commandNames, lastRun, ofCommands } from '../input/command-resource.ts';

/** The result of the last run, in the form in which the tool returns it. */
export const result = defineResource({
  uri: 'run://{command}',
  name: 'result',
  title: 'Last result',
  description: 'The last result of a command.',
  mimeType: 'text/plain',
  ...ofCommands,
  read(variables, call: ResourceCall<RunContext>) {
    const run = lastRun(variables, call);
    return run ? runText(run) : `${variables.command} has not been run yet`;
  },
  list: ({ context: { runner } }: Call<RunContext>) =>
    commandNames(runner.configuration).map((name) => ({
      uri: `run://${name}`,
      name,
      mimeType: 'text/plain',
    })),
});
