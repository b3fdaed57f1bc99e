import type { Client } from '@mcp/protocol/client';
import { vendorNames } from '@mcp/vendors';
import { type Command, type CommandInput, valueOf } from '../command-line/command.ts';
import { millisecondsOf } from '../command-line/option-values.ts';
import { resultOptions, resultOptionsOf } from '../command-line/result-options.ts';
import { usageError } from '../errors.ts';
import { toolParts } from '../testing/answer.ts';
import { recorderOf, recordOption } from '../testing/record.ts';
import { ResponseText } from '../views/response-text.ts';
import { showToolResult } from '../views/show-result.ts';
import { extendedByProgress } from '../servers/extended-by-progress.ts';
import { ProgressLine } from '../terminal/progress-line.ts';
import { argumentsOption, type CalledTool, calledTool } from './call/called-tool.ts';
import { startTask } from './call/start-task.ts';

export const call: Command = {
  name: 'call',
  usage: `<server.tool> [key=value | key:=json | key=@file …] | 'server.tool(key: value, …)' | --from <vendor> [@file]`,
  help: 'calls a tool; the schema of the tool decides the types of its arguments',
  examples: [
    'call files.read_text_file path=notes.txt head:=1',
    `call 'files.read_text_file(path: "notes.txt", head: 1)'`,
    'call https://mcp.example.com/mcp search query=x',
    'call read_text_file path=notes.txt -- npx -y @mcp/server-filesystem .',
  ],
  words: ['tool', 'tool argument'],
  options: [
    argumentsOption,
    {
      name: 'timeout',
      value: 'seconds',
      help: 'how long to wait for the result; each progress notification restarts this time',
    },
    { name: 'max-time', value: 'seconds', help: 'how long to wait in all; an hour by default' },
    {
      name: 'save',
      value: 'directory',
      help: 'writes images, sounds and files of the result into this directory',
    },
    recordOption,
    ...resultOptions,
    { name: 'task', help: 'starts a task and prints its id instead of waiting for the result' },
    {
      name: 'from',
      value: 'vendor',
      help: "calls the tools in a model's message, from stdin or @file, and prints the message that answers it",
      choices: vendorNames,
    },
  ],
  async run(input) {
    const { servers, options } = input;
    const vendor = valueOf(options, 'from');
    const other = ['from', 'task'].find((name) => options[name] !== undefined);
    if (options['record'] !== undefined && other !== undefined)
      throw usageError(`Invalid --record with --${other}; expected one of them`);
    if (vendor !== undefined) {
      // Imported only here, so that other calls start faster.
      const { callFromVendor } = await import('./call/call-from-vendor.ts');
      return callFromVendor(vendor, input);
    }
    // Wrong options are found before the call, which may have an effect.
    resultOptionsOf(options);
    const { target, tool, args } = await calledTool(input);
    if (options['task']) return startTask(target, tool, args, input);
    const record = await recorderOf(input);
    const response = new ResponseText();
    const called = { target, args, response };
    const result = await servers.use(target.server, (client) => callTool(client, called, input));
    await record?.({ tool: target.name, arguments: args }, toolParts(result));
    return showToolResult(response.numbersIn(result), input, target.name);
  },
};

async function callTool(
  client: Client,
  { target, args, response }: Pick<CalledTool, 'target' | 'args'> & { readonly response: ResponseText },
  { options, output, signal }: CommandInput,
) {
  const timeoutMs = millisecondsOf(options, 'timeout');
  const maxTimeoutMs = millisecondsOf(options, 'max-time');
  const line = new ProgressLine(process.stderr);
  const showsProgress = output.interactive && !output.json;
  try {
    return await client.callTool(
      target.name,
      { ...args },
      {
        signal,
        onResponseText: response.keep,
        ...(timeoutMs !== undefined && { timeoutMs }),
        ...(maxTimeoutMs !== undefined && { maxTimeoutMs }),
        ...extendedByProgress,
        ...(showsProgress && { onProgress: (done, total, message) => line.show(done, total, message) }),
      },
    );
  } finally {
    line.erase();
  }
}
