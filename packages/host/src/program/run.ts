import type { OptionValues } from '../command-line/command.ts';
import { helpText } from '../command-line/help.ts';
import { parseCommandLine } from '../command-line/parse-command-line.ts';
import { commands } from '../commands/table.ts';
import { asConfigured } from '../config/ad-hoc.ts';
import type { ServerDefinition } from '../config/definition.ts';
import { type Configuration, loadConfiguration } from '../config/load.ts';
import { exitCodes } from '../errors.ts';
import { Output } from '../terminal/output.ts';
import { hostState } from './host-state.ts';
import { serversOf } from './open-servers.ts';
import { reportError } from './report-error.ts';

/** Signals that end the command with its servers; a second one ends the process at once. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs `mcp` with the words of its command line, and returns the exit code. */
export async function runCommandLine(words: readonly string[], version: string): Promise<number> {
  const json = words.slice(0, words.includes('--') ? words.indexOf('--') : words.length).includes('--json');
  const output = new Output({ stdout: process.stdout, stderr: process.stderr, json, env: process.env });
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  for (const each of signals) process.once(each, interrupt);
  try {
    const code = await run(words, version, output, interrupted.signal);
    return interrupted.signal.aborted ? exitCodes.interrupted : code;
  } catch (error) {
    if (interrupted.signal.aborted) return exitCodes.interrupted;
    return reportError(error, output);
  } finally {
    for (const each of signals) process.off(each, interrupt);
  }
}

async function run(
  words: readonly string[],
  version: string,
  output: Output,
  signal: AbortSignal,
): Promise<number> {
  const line = parseCommandLine(words, commands);
  const { command, positionals, options } = line;
  if (options['version']) return print(output, `mcp ${version}`);
  if (options['help']) return print(output, helpText(commands, line.named ? command : undefined));
  const configuration = configurationOf(options, line.server);
  const warn = (message: string) => output.note(output.styled('yellow', message));
  const state = hostState(warn);
  await using servers = serversOf({ configuration, line, output, version, state, warn, signal });
  const { store } = state;
  return await command.run({
    store,
    positionals,
    options,
    configuration,
    servers,
    commands,
    output,
    stdin: process.stdin,
    signal,
  });
}

function print(output: Output, text: string): number {
  output.text(text);
  return exitCodes.ok;
}

function configurationOf(options: OptionValues, server: ServerDefinition | undefined): Configuration {
  if (server) return { servers: [asConfigured(server)], problems: [], files: [] };
  const files = options['config'];
  return loadConfiguration(Array.isArray(files) ? { files } : {});
}
