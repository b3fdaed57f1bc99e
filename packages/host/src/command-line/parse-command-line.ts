import { parseArgs, type ParseArgsConfig } from 'node:util';
import { codeOf, messageOf } from '@mcp/kit';
import { usageError } from '../errors.ts';
import { printedCommand } from '../printed-command.ts';
import { didYouMean } from '../did-you-mean.ts';
import { entryOfCommand, entryOfUrl, isServerUrl, withSettings } from '../config/entry/typed-entry.ts';
import type { ServerEntry } from '../config/entry/server-entry.ts';
import type { Command, OptionSpec, OptionValues } from './command.ts';
import { commonOptions, optionsOf } from './common-options.ts';
import { serverOptions, serverSettings } from './server-settings.ts';

export interface CommandLine {
  readonly command: Command;
  /** Whether a command was named; `mcp` alone lists the servers. */
  readonly named: boolean;
  readonly positionals: readonly string[];
  readonly options: OptionValues;
  /** A server that the command line names by its URL or its command. */
  readonly server: ServerEntry | undefined;
}

/**
 * Parses the words after `mcp`. Without a command, the first of `commands` runs. Throws a `HostError` for
 * words that it cannot parse, such as an unknown command or option.
 */
export function parseCommandLine(words: readonly string[], commands: readonly Command[]): CommandLine {
  const separator = words.indexOf('--');
  const own = separator === -1 ? words : words.slice(0, separator);
  const program = separator === -1 ? undefined : words.slice(separator + 1);
  if (program && (program[0] ?? '').trim() === '')
    throw usageError('No command follows "--"; expected one that starts a server');
  const at = own.findIndex((word, index) => !word.startsWith('-') && !takesNext(own[index - 1]));
  const name = own[at];
  if (name === 'help')
    return parseCommandLine([...own.filter((_, index) => index !== at), '--help'], commands);
  const command = name === undefined ? commands[0] : commandNamed(name, commands);
  if (!command) {
    const names = commands.map((each) => each.name);
    const isUrl = name !== undefined && isServerUrl(name);
    // If the word is a URL, the user has left out the command, which comes before the URL.
    const hint = isUrl ? `; did you mean "tools ${name}"?` : didYouMean(name ?? '', names, 1);
    throw usageError(`Unknown command: "${name}"${hint}`, printedCommand('--help'));
  }
  const { values, positionals } = parse(
    own.filter((_, index) => index !== at),
    optionsOf(command),
  );
  const line = { command, named: at !== -1, positionals, options: values };
  return { ...line, ...serverOf(line, program) };
}

/** The server that a command line names by its URL or command, and the words without the URL. */
function serverOf(
  { command, positionals, options }: Omit<CommandLine, 'server'>,
  program: readonly string[] | undefined,
): Pick<CommandLine, 'positionals' | 'server'> {
  const at = command.namesNewServer ? 1 : 0;
  const url = positionals[at];
  const hasUrl = program === undefined && url !== undefined && isServerUrl(url);
  const server = program ? entryOfCommand(program) : hasUrl ? entryOfUrl(url) : undefined;
  const given = serverOptions.find((name) => options[name] !== undefined);
  // A server of the registry is not named by its URL or command.
  if (!server && given !== undefined && !options['help'] && !command.namesNewServer)
    throw usageError(`--${given} is for a server that the command line names: a URL, or a command after --`);
  return {
    positionals: hasUrl ? positionals.toSpliced(at, 1) : positionals,
    // A command that writes the server into a file does not need the values of variables.
    server:
      server && !command.namesNewServer ? withSettings(server, serverSettings(options, process.env)) : server,
  };
}

/** Whether a word before the command is an option that takes the next word as its value. */
function takesNext(word: string | undefined): boolean {
  return commonOptions.some(({ name, value }) => value !== undefined && word === `--${name}`);
}

function parse(words: readonly string[], specs: readonly OptionSpec[]) {
  const options = Object.fromEntries(
    specs.map(({ name, value, short }) => [
      name,
      {
        ...(value === undefined
          ? ({ type: 'boolean' } as const)
          : ({ type: 'string', multiple: true } as const)),
        ...(short !== undefined && { short }),
      },
    ]),
  );
  const { values, positionals } = parsed(words, options, specs);
  for (const spec of specs) assertChoice(spec, values[spec.name]);
  return { values, positionals };
}

function parsed(
  words: readonly string[],
  options: NonNullable<ParseArgsConfig['options']>,
  specs: readonly OptionSpec[],
) {
  try {
    const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true });
    return { values: values as OptionValues, positionals };
  } catch (error) {
    const [, option] = /'(--?[\w-]+)/.exec(messageOf(error)) ?? [];
    if (codeOf(error) === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
      const names = specs.map((each) => `--${each.name}`);
      throw usageError(
        `Unknown option: ${option ?? 'one of those given'}${didYouMean(option ?? '', names, 1)}`,
        `the command takes ${names.join(', ')}`,
      );
    }
    const spec = specs.find(({ name }) => `--${name}` === option);
    if (codeOf(error) === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE' && spec) {
      const { name, value } = spec;
      throw usageError(
        value === undefined ? `--${name} takes no value` : `--${name} needs a value: --${name} <${value}>`,
      );
    }
    throw usageError(`Invalid option: ${option ?? ''} ${messageOf(error).split('. ')[0]!}`.trim());
  }
}

function assertChoice({ name, choices }: OptionSpec, given: OptionValues[string]): void {
  if (!choices || !Array.isArray(given)) return;
  for (const value of given)
    if (!choices.includes(value))
      throw usageError(`Invalid --${name}: "${value}"; expected ${choices.join(', ')}`);
}

export function commandNamed(name: string, commands: readonly Command[]): Command | undefined {
  return commands.find((each) => each.name === name || each.aliases?.includes(name));
}
