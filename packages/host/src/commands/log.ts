import { once } from 'node:events';
import { type Client, logLevels } from '@mcp/protocol/client';
import type { Command } from '../command-line/command.ts';
import { countOf, logLevelOf } from '../command-line/option-values.ts';
import { serverFirst } from '../command-line/target.ts';
import { callError, exitCodes, HostError } from '../errors.ts';
import type { ServerLogMessage } from '../servers/log-feed.ts';
import { logText } from '../views/log-text.ts';
import { isStateless } from '../servers/is-stateless.ts';
import { printedCommand } from '../printed-command.ts';

export const log: Command = {
  name: 'log',
  usage: '<server>',
  help: 'follows the log messages of a server, until it is interrupted',
  words: ['server'],
  options: [
    {
      name: 'level',
      value: 'level',
      help: 'the lowest level that is printed; info by default',
      choices: logLevels,
    },
    { name: 'count', value: 'number', help: 'ends after this many messages' },
  ],
  async run(input) {
    const { positionals, servers, logs, options, output, signal } = input;
    const { server } = serverFirst(positionals, servers.names, 'log', '<server>');
    const level = logLevelOf(options, 'level') ?? 'info';
    const [complete, closed] = [new AbortController(), new AbortController()];
    const ended = AbortSignal.any([signal, complete.signal, closed.signal]);
    const max = countOf(options);
    let count = 0;
    const print = (message: ServerLogMessage) => {
      if (message.server !== server || count === max) return;
      count++;
      if (output.json) output.jsonLine(message);
      else output.text(logText(message));
      if (count === max) complete.abort();
    };
    const close = (name: string) => name === server && closed.abort();
    logs.on('message', print);
    try {
      await servers.use(server, async (client) => {
        assertLogs(client, server, level);
        logs.on('closed', close);
        await client.setLogLevel(level);
        output.note(`following ${server} from level ${level}`, 'dim');
        if (!ended.aborted) await once(ended, 'abort');
      });
    } finally {
      logs.off('message', print).off('closed', close);
    }
    if (signal.aborted) return exitCodes.interrupted;
    if (complete.signal.aborted) return exitCodes.ok;
    throw new HostError(`${server}: the server has ended`, { server, phase: 'call' });
  },
};

function assertLogs(client: Client, server: string, level: string): void {
  if (!client.capabilities['logging'])
    throw callError(
      server,
      `The server "${server}" sends no log messages`,
      'with --verbose, each command prints what a server writes on stderr',
    );
  if (isStateless(client)) {
    const call = printedCommand('call', `${server}.<tool>`, '--log', level);
    throw callError(
      server,
      `In revision ${client.revision}, a server sends log messages only during a call`,
      `${call}; or, in an older revision, ${printedCommand('log', server, '--revision', '2025-11-25')}`,
    );
  }
}
