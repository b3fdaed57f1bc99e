import { existsSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { type Command, type CommandInput, valueOf } from '../command-line/command.ts';
import { asConfigured, entryOfCommand } from '../config/entry/typed-entry.ts';
import { usageError } from '../errors.ts';
import type { ServedRequest } from '../gateway/gateway-settings.ts';
import { sanitizeLine } from '../terminal/sanitize.ts';
import { watchSources } from './dev/watch-sources.ts';
import { serveGateway } from './serve/serve-gateway.ts';

export const dev: Command = {
  name: 'dev',
  usage: '<file> [argument…] [--http [host:]port] | -- <command…>',
  help: 'serves a server that you are writing, and restarts it when a source changes; clients stay connected',
  words: ['any'],
  options: [
    {
      name: 'http',
      value: '[host:]port',
      help: 'serve HTTP on this port, or at unix:path; the default on a terminal is any free port, otherwise stdio',
    },
    {
      name: 'watch',
      value: 'directory',
      help: 'restart for changes below it; the default is that of the file',
    },
    { name: 'token', value: 'token', help: 'require this token from HTTP clients, or MCP_TOKEN' },
  ],
  async run(input) {
    const { servers, options, output, version, stdin } = input;
    const { name, directory } = await addServer(input);
    const note = (text: string) => output.note(sanitizeLine(text));
    // Imported only here, so that other commands start faster.
    const { Gateway } = await import('../gateway/gateway.ts');
    await using gateway = new Gateway([name], {
      servers,
      version,
      prefixed: false,
      reconfigurable: true,
      warn: (message) => output.note(message, 'yellow'),
      onRequest: (request) => note(requestText(request)),
    });
    const stop = await watchSources(directory, {
      onWarning: (message) => output.note(message, 'yellow'),
      changed: () => {
        note('Restarting: a source has changed');
        gateway.reconfigure([name], servers.restart(name));
      },
    });
    const onTerminal = 'isTTY' in stdin && stdin.isTTY === true;
    try {
      const address = valueOf(options, 'http') ?? (onTerminal ? '0' : undefined);
      return await serveGateway(gateway, input, { address });
    } finally {
      stop();
    }
  },
};

/** Makes the server of the command line the only one; returns its name and the directory to watch. */
async function addServer({ servers, positionals, options, load }: CommandInput) {
  const watched = valueOf(options, 'watch');
  const [file, ...args] = positionals;
  if (file === undefined) {
    // Without `load`, the command line has a server, behind `--` or by its URL.
    const [name] = load ? [] : servers.names;
    if (name === undefined) throw usageError('Missing file: which server do you write?');
    return { name, directory: resolve(watched ?? '.') };
  }
  const path = resolve(file);
  if (!existsSync(path)) throw usageError(`No such file: "${file}"`);
  const isTypeScript = ['.ts', '.mts', '.cts'].includes(extname(path));
  if (isTypeScript && !process.features.typescript)
    throw usageError(
      `Node ${process.versions.node} does not run TypeScript; update to 22.18 or newer, or name a command: mcp dev -- npx tsx ${file}`,
    );
  const entry = entryOfCommand([process.execPath, path, ...args]);
  await servers.reload({ servers: [asConfigured(entry)], problems: [] });
  return { name: entry.name, directory: watched === undefined ? dirname(path) : resolve(watched) };
}

function requestText({ method, name, ms, error }: ServedRequest): string {
  const time = `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
  const what = name === undefined ? method : `${method} ${name}`;
  return `${what}: ${error === undefined ? time : `failed after ${time}: ${error}`}`;
}
