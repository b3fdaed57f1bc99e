import { logLevels } from '@mcp/protocol/client';
import { type Command, valueOf } from '../command-line/command.ts';
import { logLevelOf } from '../command-line/option-values.ts';
import type { ServedRequest } from '../gateway/gateway-settings.ts';
import { sanitizeLine } from '../terminal/sanitize.ts';
import { logText } from '../views/log-text.ts';
import { shownLogsOf } from './serve/shown-logs-of.ts';

export const dev: Command = {
  name: 'dev',
  usage: '<file> [argument…] [--http [host:]port] | -- <command…>',
  help: 'serves a server that you are writing, and restarts it when a source of its language changes; clients stay connected',
  words: ['any'],
  options: [
    {
      name: 'http',
      value: '[host:]port',
      help: 'serve HTTP on this port, or at unix:path; the default on a terminal is any free port, otherwise stdio',
    },
    {
      name: 'watch',
      value: 'path',
      help: 'a directory whose sources are watched, instead of that of the file, or another file to watch; repeatable',
    },
    { name: 'token', value: 'token', help: 'require this token from HTTP clients, or MCP_TOKEN' },
    {
      name: 'log',
      value: 'level',
      help: 'prints log messages of the server on stderr, from this level up; the default is info',
      choices: logLevels,
    },
  ],
  async run(input) {
    const { servers, options, output, version, stdin, logs } = input;
    // Imported only here, so that other commands start faster.
    const [{ Gateway }, { developedServer }, { watchSources }, { serveGateway }] = await Promise.all([
      import('../gateway/gateway.ts'),
      import('./dev/developed-server.ts'),
      import('./dev/watch-sources.ts'),
      import('./serve/serve-gateway.ts'),
    ]);
    const { name, sources } = await developedServer(input);
    const note = (text: string) => output.note(sanitizeLine(text));
    const level = logLevelOf(options, 'log');
    if (!level) logs.on('message', (message) => output.note(logText(message), 'dim'));
    await using gateway = new Gateway([name], {
      servers,
      version,
      prefixed: false,
      reconfigurable: true,
      warn: (message) => output.note(message, 'yellow'),
      shownLogs: shownLogsOf(level ?? 'info', logs),
      onRequest: (request) => note(requestText(request)),
    });
    const stop = await watchSources(sources, {
      onWarning: (message) => output.note(message, 'yellow'),
      changed: ([first, ...others]) => {
        note(`Restarting: ${first} has changed${others.length > 0 ? `, and ${others.length} more` : ''}`);
        gateway.reconfigure([name], servers.restart(name));
      },
    });
    const typed = stdin();
    const onTerminal = 'isTTY' in typed && typed.isTTY === true;
    try {
      const address = valueOf(options, 'http') ?? (onTerminal ? '0' : undefined);
      return await serveGateway(gateway, input, { address });
    } finally {
      stop();
    }
  },
};

function requestText({ method, name, ms, error }: ServedRequest): string {
  const time = `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
  const what = name === undefined ? method : `${method} ${name}`;
  return `${what}: ${error === undefined ? time : `failed after ${time}: ${error}`}`;
}
