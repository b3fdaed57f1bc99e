import type { Client } from '@mcp/protocol/client';
import { once } from 'node:events';
import type { Command, CommandInput } from '../command-line/command.ts';
import { logLevelOf, logLevels } from '../command-line/log-level.ts';
import { countOf } from '../command-line/numbers.ts';
import { serverFirst, usageError } from '../command-line/target.ts';
import { exitCodes, HostError } from '../errors.ts';
import { logText } from '../views/log-text.ts';
import { isStateless } from '../servers/is-stateless.ts';
import { printedCommand } from '../printed-command.ts';

export const log: Command = {
  name: 'log',
  usage: '<server>',
  help: 'follows the log messages of a server, until it is interrupted',
  words: ['server'],
  options: [
    { name: 'level', value: 'level', help: 'the least level; info by default', choices: logLevels },
    { name: 'count', value: 'number', help: 'ends after so many messages' },
  ],
  async run(input) {
    const { positionals, servers, options, output, signal } = input;
    const { server } = serverFirst(positionals, servers.names);
    if (server === undefined) throw usageError('Name a server: mcp log <server>');
    const level = logLevelOf(options, 'level') ?? 'info';
    const { ended, stop } = follow(server, input);
    try {
      await servers.use(server, async (client) => {
        assertLogs(client, server, level);
        await client.setLogLevel(level);
        output.note(`following ${server} from level ${level}`, 'dim');
        if (!ended.aborted) await once(ended, 'abort');
      });
    } finally {
      stop();
    }
    return signal.aborted ? exitCodes.interrupted : exitCodes.ok;
  },
};

/** Prints the messages of a server, one line each; `ended` aborts after the last one. */
function follow(server: string, { logs, options, output, signal }: CommandInput) {
  const max = countOf(options);
  const complete = new AbortController();
  let count = 0;
  const stop = logs.listen((message) => {
    if (message.server !== server || count === max) return;
    count++;
    if (output.json) output.jsonLine(message);
    else output.text(logText(message));
    if (count === max) complete.abort();
  });
  return { ended: AbortSignal.any([signal, complete.signal]), stop };
}

function assertLogs(client: Client, server: string, level: string): void {
  const problem = (message: string, hint: string) =>
    new HostError(message, { server, phase: 'call', exitCode: exitCodes.tool, hint });
  if (!client.capabilities['logging'])
    throw problem(
      `The server "${server}" sends no log messages`,
      'with --verbose, each command prints what a server writes on stderr',
    );
  if (isStateless(client)) {
    const call = printedCommand('call', `${server}.<tool>`, '--log', level);
    throw problem(
      `At ${client.protocolVersion}, a server sends log messages only during a call`,
      `${call}; or ${printedCommand('log', server, '--revision', '2025-11-25')}`,
    );
  }
}
