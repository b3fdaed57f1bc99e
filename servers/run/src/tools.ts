import type { Configuration } from '@mcp/run-commands';
import { commandTool } from './tools/command.ts';
import { readOutput } from './tools/read-output.ts';

/** A tool for each command, and a tool that reads the rest of long outputs. */
export function toolsFor({ commands }: Configuration, structured: boolean) {
  return [
    ...Array.from(commands.values(), (command) => commandTool(command, structured)),
    readOutput(structured),
  ];
}
