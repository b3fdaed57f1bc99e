import type { Client } from '@mcp/protocol/client';
import { textOf } from '@mcp/vendors/content';
import { type Command, valueOf } from '../command-line/command.ts';
import { countOf, millisecondsOf } from '../command-line/option-values.ts';
import { exitCodes } from '../errors.ts';
import { processIdOf } from '../servers/connect.ts';
import { memoryText, type ResidentMemory, residentMemory } from '../servers/resident-memory.ts';
import type { Output } from '../terminal/output.ts';
import { sanitizeLine } from '../terminal/sanitize.ts';
import { table } from '../terminal/table.ts';
import { argumentsOption, calledTool, type CalledTool } from './call/called-tool.ts';
import { type Load, measureLoad, percentile } from './load/measure-load.ts';

const defaultSeconds = 10;

export const load: Command = {
  name: 'load',
  usage: '<server.tool> [key=value…] [--concurrency number] [--for seconds]',
  help: 'calls a tool again and again, which does its work each time, and prints times, errors and the memory of the server',
  examples: ['load files.read_text_file path=notes.txt --concurrency 10 --for 30'],
  words: ['tool', 'tool argument'],
  options: [
    { name: 'concurrency', value: 'number', help: 'how many calls are in progress at a time; 1 by default' },
    {
      name: 'for',
      value: 'seconds',
      help: `how long; ${defaultSeconds} by default, and Ctrl-C ends it earlier`,
    },
    argumentsOption,
  ],
  async run(input) {
    const { options, servers, interrupts, output } = input;
    const concurrency = valueOf(options, 'concurrency') === undefined ? 1 : countOf(options, 'concurrency');
    const durationMs = millisecondsOf(options, 'for') ?? defaultSeconds * 1_000;
    const called = await calledTool(input);
    return servers.use(called.target.server, async (client) => {
      const before = await memoryOf(client);
      return interrupts.scope(async (signal) => {
        const call = () => callOnce(client, called, signal);
        const measured = await measureLoad(call, { concurrency, durationMs, signal });
        const results = { load: measured, memory: [before, await memoryOf(client)] as const };
        if (output.json) output.value(jsonOf(results));
        else print(called, concurrency, results, output);
        if (signal.aborted) return exitCodes.interrupted;
        return measured.errors.size > 0 ? exitCodes.tool : exitCodes.ok;
      });
    });
  },
};

async function callOnce(client: Client, { target, args }: CalledTool, signal: AbortSignal): Promise<void> {
  const { isError, content } = await client.callTool(target.name, { ...args }, { signal });
  if (isError) throw new Error(content.map(textOf).join('\n'));
}

/** The memory of a server that is a program; undefined where it cannot be measured. */
async function memoryOf(client: Client): Promise<ResidentMemory | undefined> {
  const pid = processIdOf(client);
  if (pid === undefined || process.platform === 'win32') return undefined;
  return residentMemory(pid).catch(() => undefined);
}

interface Results {
  readonly load: Load;
  readonly memory: readonly [before: ResidentMemory | undefined, after: ResidentMemory | undefined];
}

function jsonOf({ load: { seconds, times, errors }, memory: [before, after] }: Results): object {
  const [p50, p99, max] = [0.5, 0.99, 1].map((part) => percentile(times, part));
  return {
    seconds,
    calls: times.length,
    perSecond: times.length / seconds,
    ms: { p50, p99, max },
    errors: Object.fromEntries(errors),
    memory: { before, after },
  };
}

function print(
  { target }: CalledTool,
  concurrency: number,
  { load: { seconds, times, errors }, memory: [before, after] }: Results,
  output: Output,
): void {
  const [p50, p99, max] = [0.5, 0.99, 1].map((part) => percentile(times, part)?.toFixed(2));
  const failed = [...errors.values()].reduce((sum, count) => sum + count, 0);
  const all = failed === 0 ? '' : ` of ${times.length + failed}`;
  const rows = [
    [
      'calls',
      `${times.length}${all} in ${seconds.toFixed(1)} s, ${(times.length / seconds).toFixed(0)} per second`,
    ],
    ...(p50 === undefined ? [] : [['time', `p50 ${p50} ms, p99 ${p99} ms, at most ${max} ms`]]),
    ...(before && after ? [['memory', `${memoryText(before)}, then ${memoryText(after)}`]] : []),
    ...Array.from(errors, ([message, count]) => ['error', `${count} × ${sanitizeLine(message)}`]),
  ];
  output.text(output.styled('bold', `${target.server}.${target.name}, ${concurrency} at a time`));
  for (const line of table(rows, output.width - 2)) output.text(`  ${line}`);
}
