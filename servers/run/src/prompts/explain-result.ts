import { type Call, definePrompt, userMessage } from '@mcp/protocol';
import { runText } from '@mcp/run-commands';
import type { RunContext } from '../context.ts';
import { commandInput } from '../input/command-argument.ts';
import { completeCommand } from '../input/command-resource.ts';

export const explainResult = definePrompt({
  name: 'explain-result',
  title: 'Explain result',
  description: 'Asks what the last result of a command means; includes it.',
  inputSchema: commandInput,
  complete: { command: (typed, call: Call<RunContext>) => completeCommand(typed, call) },
  run: ({ command }, { context: { runner } }: Call<RunContext>) => {
    const { name } = runner.command(command);
    const last = runner.last(name);
    if (!last) throw new Error(`${name} has not been run yet; run it, or use the prompt fix-failures`);
    return [
      userMessage(
        `Explain this result of ${name}: what failed, the most likely cause of each failure, and where to look. Change nothing. Read more with read_output if the excerpt does not suffice.`,
      ),
      userMessage(runText(last)),
    ];
  },
});
