import { type Command, valueOf } from '../../command-line/command.ts';
import { hostNames } from '../../config/write/hosts.ts';
import { usageError } from '../../errors.ts';
import { printedCommand, repeatTyped } from '../../printed-command.ts';
import { entryOptions, readEntryOf, saveServer } from './add.ts';
import { serverName } from './server-name.ts';
import { placeOptions } from './target-place.ts';

export const install: Command = {
  name: 'install',
  usage: '<host> -- <command…> | <host> <url>',
  help: "writes a server into the file of a host, under its package's name: comments stay, and the former file is kept",
  examples: [
    'install claude-desktop -- npx -y @mcp/server-filesystem ~/notes',
    'install vscode https://mcp.example.com/mcp --name example',
  ],
  words: [hostNames, 'any'],
  namesNewServer: true,
  options: [
    { name: 'name', value: 'name', help: 'the name of the server; by default, it follows from the command' },
    ...placeOptions.filter(({ name }) => name === 'project'),
    ...entryOptions,
  ],
  async run(input) {
    const { positionals, options, configuration } = input;
    const [host, ...others] = positionals;
    const [typed] = input.load ? [] : configuration.servers;
    // Printed commands must not repeat the server of this command line: it has a name from now on.
    repeatTyped({ url: [], command: [], options: [] });
    if (host === undefined || !typed || others.length > 0)
      throw usageError(
        'Name a host, and the command or the URL of a server',
        printedCommand('install', 'cursor', '--', 'npx', '-y', '@mcp/server-filesystem', '.'),
      );
    if (!hostNames.some((name) => name === host))
      throw usageError(`Unknown host: "${host}"; expected ${hostNames.join(', ')}`);
    if (options['config'] !== undefined)
      throw usageError(
        'Invalid --config: the host has a file already',
        `${printedCommand('add', '<name>')} writes into any file`,
      );
    const entry = await typed.resolve();
    const name = valueOf(options, 'name') ?? serverName(entry);
    if (name === undefined)
      throw usageError('The command does not tell a name of the server; --name gives one');
    return saveServer(name, readEntryOf(entry, input), { ...input, options: { ...options, to: [host] } });
  },
};
