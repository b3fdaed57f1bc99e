import { type Call, definePrompt, userMessage } from '@mcp/protocol';
import { runText } from '@mcp/run-commands';
import type { RunContext } from '../context.ts';
import { commandInput } from '../input/command-argument.ts';
import { completeCommand } from '../input/command-resource.ts';

export const fixFailures = definePrompt({
  name: 'fix-failures',
  title: 'Fix failures',
  description: 'Asks to run a command, read its failures and mend their cause until it succeeds.',
  inputSchema: commandInput,
  complete: { command: (typed, call: Call<RunContext>) => completeCommand(typed, call) },
  run: ({ command }, { context: { runner } }: Call<RunContext>) => {
    const { name } = runner.command(command);
    const last = runner.last(name);
    return [
      userMessage(
        `Run ${name}. If it fails, read its failures first, then as much of its output as you need, find the cause and mend it; never change a test or switch off a check just to make the command succeed. Run it again until it succeeds. After three attempts without progress, stop and report what you found. Report at the end what failed, why, what you changed, and what ${name} says now.`,
      ),
      ...(last ? [userMessage(`The last result:\n${runText(last)}`)] : []),
    ];
  },
});
