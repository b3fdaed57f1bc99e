import {
  type Command,
  type CommandInput,
  type OptionSpec,
  type OptionValues,
  valueOf,
} from '../../command-line/command.ts';
import { millisecondsOf } from '../../command-line/option-values.ts';
import {
  clientIdOf,
  headersOf,
  refuseOptionsOfOthers,
  variablesOf,
} from '../../command-line/server-settings.ts';
import { commandHint } from '../../config/check/command-hint.ts';
import type { ServerEntry } from '../../config/entry/server-entry.ts';
import {
  defaultCallTimeoutMs,
  defaultStartTimeoutMs,
  type ReadEntry,
} from '../../config/entry/read-entry.ts';
import { formats } from '../../config/formats/formats.ts';
import { exitCodes, usageError } from '../../errors.ts';
import { printedCommand, repeatTyped } from '../../printed-command.ts';
import { isRegistryName, registryOption } from '../registry/registry-options.ts';
import { placeOptions } from './target-place.ts';

/** The options of an entry that is written, besides those of the file. */
export const entryOptions: readonly OptionSpec[] = [
  { name: 'cwd', value: 'directory', help: 'the directory in which the host starts the command' },
  { name: 'transport', value: 'name', help: 'the transport of the URL', choices: ['http', 'sse'] },
  { name: 'force', help: 'replaces a server of the same name' },
  { name: 'dry-run', help: 'prints the entry, and writes nothing' },
];

/** The options for a server of the registry. */
const registryOptions: readonly OptionSpec[] = [
  registryOption,
  {
    name: 'input',
    value: 'name=value',
    help: 'a value that a server of the registry needs; repeatable. Its variables are given by --env, its headers by --header',
  },
  {
    name: 'use',
    value: 'kind',
    help: 'how to use a server of the registry: npm, pypi, oci, nuget, mcpb or remote; by default, the first that it has',
  },
  { name: 'name', value: 'name', help: 'the name of a server of the registry in the file' },
];

export const add: Command = {
  name: 'add',
  usage: '<name> <url> | <name> -- <command…> | <registry name>[@version]',
  help: 'writes a server into the file of a host, or that of --config: comments stay, and the former file is kept',
  examples: [
    'add files --to cursor -- npx -y @mcp/server-filesystem ~/notes',
    "add web https://mcp.example.com/mcp --header 'Authorization: Bearer ${TOKEN}'",
    'add io.github.user/weather --to vscode --env API_KEY',
    'add db --project --env PASSWORD -- npx -y db-server',
  ],
  words: ['any'],
  namesNewServer: true,
  options: [...placeOptions, ...entryOptions, ...registryOptions],
  async run(input) {
    const { positionals, configuration } = input;
    const [name, ...others] = positionals;
    const [typed] = input.load ? [] : configuration.servers;
    // Printed commands must not repeat the server of this command line: it has a name from now on.
    repeatTyped({ url: [], command: [], options: repeatedOptions(input) });
    if (name !== undefined && !typed && others.length === 0 && isRegistryName(name)) {
      const { addFromRegistry } = await import('../registry/add-from-registry.ts');
      return addFromRegistry(name, input);
    }
    const misplaced = registryOptions.find((each) => typed && input.options[each.name] !== undefined);
    if (misplaced)
      throw usageError(
        `--${misplaced.name} is for a server of the registry, and this one has a URL or a command`,
      );
    if (name === undefined || !typed || others.length > 0)
      throw usageError(
        'Name a server, and its URL or its command',
        `${printedCommand('add', '<name>', 'https://mcp.example.com/mcp')}, or ${printedCommand('add', '<name>', '--', 'npx', '-y', '@mcp/server-filesystem', '.')}`,
      );
    return saveServer(name, readEntryOf(await typed.resolve(), input), input);
  },
};

/**
 * Writes a server, with the variables of Claude Code's syntax, into the file that the options choose; returns
 * the exit code. `visible` is the entry as it is printed, where more of it is secret than its names tell.
 */
export async function saveServer(
  name: string,
  entry: ReadEntry,
  input: CommandInput,
  visible = entry,
): Promise<number> {
  const { options, output, directories } = input;
  // Imported only here, so that other commands start faster.
  const [
    { targetPlace },
    { writeEntry },
    { saveEntries, noteUndo },
    { noteRelative, noteSecrets, noteWinner },
    { maskedEntry },
  ] = await Promise.all([
    import('./target-place.ts'),
    import('../../config/write/write-entry.ts'),
    import('./save-entry.ts'),
    import('./notes.ts'),
    import('./masked-entry.ts'),
  ]);
  const place = await targetPlace(input);
  const inFormat = (each: ReadEntry) => writeEntry(each, formats['claude-code'], place.format);
  const written = orUsageError(() => inFormat(entry));
  const shown = { [name]: maskedEntry(inFormat(visible).entry) };
  if (options['dry-run'] === true) {
    output.value(
      output.json ? { server: name, file: place.file, lost: written.lost, entry: shown[name] } : shown,
    );
    for (const each of output.json ? [] : written.lost) output.warning(each);
    noteRelative(entry, place, output);
    return exitCodes.ok;
  }
  const replaces = options['force'] === true;
  const { change, results } = await saveEntries([{ name, entry: written.entry }], place, {
    replaces,
    directories,
  });
  const [line] = results;
  if (line instanceof Error) throw line;
  if (output.json)
    output.value({ server: name, file: change.file, line, backup: change.backup, lost: written.lost });
  else {
    output.text(`Added "${name}" to ${place.title}: ${change.file}:${line}`);
    output.note(JSON.stringify(shown), 'dim');
  }
  for (const each of written.lost) output.warning(each);
  const { target } = entry;
  const hint = target.kind === 'stdio' ? commandHint(target.command, 'command-line') : undefined;
  if (hint !== undefined) output.warning(hint);
  noteRelative(entry, place, output);
  noteSecrets(entry, place, output);
  if (!output.json) noteUndo(change, output);
  await noteWinner(name, change.file, input);
  return exitCodes.ok;
}

/** The options that printed commands repeat: the file that the server is in. */
export function repeatedOptions({ options }: CommandInput): readonly string[] {
  const { config } = options;
  return Array.isArray(config) ? config.flatMap((file: string) => ['--config', file]) : [];
}

function orUsageError<T>(write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw usageError((error as Error).message, undefined, error);
  }
}

/** The server of the command line as an entry, in the syntax of variables of Claude Code. */
export function readEntryOf({ target }: ServerEntry, { options }: CommandInput): ReadEntry {
  const variables = variablesOf(options);
  const headers = Object.fromEntries(headersOf(options));
  const given = variables.flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
  const unnamed = variables.find(([name, value]) => value === undefined && !/^[A-Za-z_]\w*$/.test(name));
  if (unnamed)
    throw usageError(`Invalid --env: "${unnamed[0]}"; expected the name of a variable, or NAME=value`);
  const cwd = valueOf(options, 'cwd');
  const isCommand = target.kind === 'stdio';
  refuseOptionsOfOthers(target.kind, options);
  const clientId = clientIdOf(options);
  const transport = { http: 'streamable', sse: 'sse' } as const;
  const chosen = valueOf(options, 'transport') as keyof typeof transport | undefined;
  if (isCommand && chosen !== undefined)
    throw usageError('--transport is for a server with a URL, and this one is a command');
  const entry = entryOf(
    isCommand
      ? { ...target, env: Object.fromEntries(given), cwd }
      : {
          ...target,
          headers,
          transport: chosen ? transport[chosen] : target.transport,
          ...(clientId !== undefined && { oauth: { clientId } }),
        },
    options,
  );
  const inheritedVariables = variables.flatMap(([name, value]) => (value === undefined ? [name] : []));
  return { ...entry, inheritedVariables };
}

/** A new entry for a server, with the time limit of the options. */
export function entryOf(target: ReadEntry['target'], options: OptionValues): ReadEntry {
  return {
    target,
    enabled: true,
    tools: { allow: [], deny: [] },
    startTimeoutMs: millisecondsOf(options, 'start-timeout') ?? defaultStartTimeoutMs,
    callTimeoutMs: defaultCallTimeoutMs,
    inheritedVariables: [],
    envFile: undefined,
    headerVariables: {},
    notes: [],
  };
}
