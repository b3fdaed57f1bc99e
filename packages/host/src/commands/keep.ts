import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { messageOf } from '@mcp/kit';
import type { Command, CommandInput } from '../command-line/command.ts';
import { millisecondsOf } from '../command-line/option-values.ts';
import { exitCodes, usageError } from '../errors.ts';
import { keepAddress, makeKeepAddress } from '../keep/keep-address.ts';
import type { KeepRequest, KeptStatus } from '../keep/keep-request.ts';
import { printedCommand } from '../printed-command.ts';
import { table } from '../terminal/table.ts';

const defaultIdleMs = 15 * 60_000;

export const keep: Command = {
  name: 'keep',
  usage: '[status | stop]',
  help: 'holds servers between commands, so that later calls need not start them; ends by itself when idle',
  words: [['status', 'stop']],
  options: [
    {
      name: 'idle',
      value: 'seconds',
      help: 'how long a server is held after its last use, and the process that holds them without any use; 900 by default',
    },
    { name: 'foreground', help: 'holds the servers in this process, for a service manager or a terminal' },
  ],
  async run(input) {
    const [verb, ...rest] = input.positionals;
    if (rest.length > 0 || (verb !== undefined && verb !== 'status' && verb !== 'stop'))
      throw usageError(
        `Unexpected argument: "${rest[0] ?? verb}"`,
        `${printedCommand('keep')}, ${printedCommand('keep', 'status')} or ${printedCommand('keep', 'stop')}`,
      );
    if (verb === 'status') return printStatus(input);
    if (verb === 'stop') return stop(input);
    return input.options['foreground'] ? keepHere(input) : keepInBackground(input);
  },
};

/** Sends a request to the process that keeps servers; resolves to undefined if there is none. */
async function answerTo(request: KeepRequest, { directories, version }: CommandInput, ms?: number) {
  const address = keepAddress(directories, version);
  if (address === undefined) return undefined;
  const { ask } = await import('../keep/keep-request.ts');
  const reply = await ask(address, request, ms);
  reply?.socket.destroy();
  return reply?.answer;
}

async function printStatus(input: CommandInput): Promise<number> {
  const { output } = input;
  const servers = (await answerTo({ status: true }, input)) as readonly KeptStatus[] | undefined;
  if (output.json) output.value({ running: servers !== undefined, servers: servers ?? [] });
  else if (!servers) printNone(input);
  else if (servers.length === 0) output.note('No server is held: each is from its next use on');
  else {
    const rows = servers.map(({ name, pid, inUse }) => [name, inUse ? 'in use' : 'idle', `process ${pid}`]);
    for (const line of table(rows, output.width)) output.text(line);
  }
  return exitCodes.ok;
}

/** Milliseconds that all servers may take to end. */
const stopMs = 10_000;

async function stop(input: CommandInput): Promise<number> {
  const wasRunning = (await answerTo({ stop: true }, input, stopMs)) !== undefined;
  if (input.output.json) input.output.value({ stopped: wasRunning });
  else if (!wasRunning) printNone(input);
  else input.output.note('All servers that were held have ended');
  return exitCodes.ok;
}

function printNone({ output }: CommandInput): void {
  output.note(`No servers are held between commands; ${printedCommand('keep')} begins`);
}

async function keepHere(input: CommandInput): Promise<number> {
  const { options, directories, version, output, signal } = input;
  const { keepServers } = await import('../keep/keep-servers.ts');
  const idleMs = millisecondsOf(options, 'idle') ?? defaultIdleMs;
  try {
    const address = makeKeepAddress(directories, version);
    await keepServers(address, { idleMs, signal, ready: () => output.text(begun(idleMs)) });
  } catch (error) {
    throw usageError(messageOf(error));
  }
  return exitCodes.ok;
}

async function keepInBackground(input: CommandInput): Promise<number> {
  const { options, output } = input;
  const idleMs = millisecondsOf(options, 'idle') ?? defaultIdleMs;
  const running = async () => (await answerTo({ idleMs }, input)) !== undefined;
  if (!(await running())) {
    const words = ['keep', '--foreground', '--idle', String(idleMs / 1_000)];
    const child = spawn(process.execPath, [...process.execArgv, process.argv[1]!, ...words], {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    let failure = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (failure += text));
    await Promise.race([once(child, 'close'), once(child.stdout, 'data')]);
    // Another command may have begun at the same time.
    if (!(await running())) throw usageError(failure.trim() || 'The process that holds servers has ended');
    child.stdout.destroy();
    child.stderr.destroy();
    child.unref();
  }
  if (output.json) output.value({ running: true, idleSeconds: idleMs / 1_000 });
  else output.note(begun(idleMs));
  return exitCodes.ok;
}

function begun(idleMs: number): string {
  return `Servers are held for ${idleMs / 1_000} s after their last use; ${printedCommand('keep', 'stop')} ends them`;
}
