import { text } from 'node:stream/consumers';
import { closestNames } from '../closest-names.ts';
import { exitCodes, HostError } from '../errors.ts';
import { type Command, type CommandInput, valueOf } from '../command-line/command.ts';
import { parseArguments, type ToolSchema } from '../command-line/tool-arguments.ts';
import { toolResultText } from '../results/result-text.ts';
import { parseTarget, usageError } from '../command-line/target.ts';

export const call: Command = {
  name: 'call',
  usage: '<server.tool> [key=value | key:=json | key=@file …]',
  help: 'calls a tool; the schema of the tool decides the types of its arguments',
  options: [
    { name: 'args', value: 'json', help: 'all arguments as a JSON object; - reads it from stdin' },
    { name: 'timeout', value: 'seconds', help: 'how long to wait without progress' },
  ],
  async run(input) {
    const { positionals, servers, output, options, signal } = input;
    const { server, name } = parseTarget(positionals[0], servers.names, 'tool');
    const listed = await servers.tools(server);
    const tool = listed.find((each) => each.name === name);
    if (!tool)
      throw unknownTool(
        server,
        name,
        listed.map((each) => each.name),
      );
    const args = parseArguments(
      positionals.slice(1),
      tool.inputSchema as ToolSchema,
      await argumentsJson(input),
    );
    const timeoutMs = secondsOf(valueOf(options, 'timeout'));
    const result = await servers.use(server, (client) =>
      client.callTool(
        name,
        { ...args },
        { signal, ...(timeoutMs !== undefined && { timeoutMs }), ...progressOf(input) },
      ),
    );
    if (output.json) output.value(result);
    else output.foreign(toolResultText(result));
    return result.isError ? exitCodes.tool : exitCodes.ok;
  },
};

async function argumentsJson({ options, stdin }: CommandInput): Promise<string | undefined> {
  const json = valueOf(options, 'args');
  return json === '-' ? text(stdin) : json;
}

function secondsOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const seconds = Number(value);
  if (!(seconds > 0)) throw usageError(`Invalid --timeout: "${value}"; expected a number of seconds`);
  return seconds * 1_000;
}

function progressOf({ output }: CommandInput) {
  if (!output.interactive || output.json) return {};
  return {
    progress: (done: number, total?: number, message?: string) => {
      const of = total === undefined ? String(done) : `${done}/${total}`;
      output.note(output.styled('dim', [of, message].filter((each) => each !== undefined).join('  ')));
    },
  };
}

function unknownTool(server: string, tool: string, names: readonly string[]): HostError {
  const close = closestNames(tool, names);
  const meant = close.length === 0 ? '' : `; did you mean ${close.map((each) => `"${each}"`).join(' or ')}?`;
  return new HostError(`The server "${server}" has no tool "${tool}"${meant}`, {
    server,
    phase: 'call',
    exitCode: exitCodes.tool,
    hint: `mcp tools ${server}`,
  });
}
