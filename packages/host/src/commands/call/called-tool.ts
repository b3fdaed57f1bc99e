import { text } from 'node:stream/consumers';
import type { ListedTool } from '@mcp/protocol/client';
import { plainSchema } from '@mcp/vendors/content';
import { type CommandInput, type OptionSpec, valueOf } from '../../command-line/command.ts';
import { parseCallExpression } from '../../command-line/call-expression.ts';
import { type Target, targetFirst } from '../../command-line/target.ts';
import { parseArguments } from '../../command-line/tool-arguments.ts';
import type { ToolSchema } from '../../property-schema.ts';
import { listedTool } from '../../views/listed-tool.ts';

export const argumentsOption: OptionSpec = {
  name: 'args',
  value: 'json',
  help: 'all arguments as a JSON object; - reads it from stdin',
};

/** A tool that the command line names, and the arguments for it. */
export interface CalledTool {
  readonly target: Target;
  readonly tool: ListedTool;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Reads the tool and its arguments from the words of a command line. */
export async function calledTool(input: CommandInput): Promise<CalledTool> {
  const { positionals, servers, signal } = input;
  const [word, ...others] = positionals;
  const expression = word === undefined ? undefined : parseCallExpression(word);
  const words = expression ? [expression.target, ...others] : positionals;
  const { target, rest } = await targetFirst(words, servers, 'tool');
  const tool = await listedTool(target, input);
  const schema: ToolSchema = plainSchema(tool.inputSchema);
  const json = await argumentsJson(input);
  const args = await parseArguments(rest, schema, { json, values: expression?.args, signal });
  return { target, tool, args };
}

async function argumentsJson({ options, stdin }: CommandInput): Promise<string | undefined> {
  const json = valueOf(options, 'args');
  return json === '-' ? text(stdin()) : json;
}
