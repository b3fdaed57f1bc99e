import { basename } from 'node:path';
import { messageOf } from '@mcp/kit';
import { type OptionValues, valueOf } from '../command-line/command.ts';
import { helpText } from '../command-line/help-text.ts';
import { Interrupts } from '../command-line/interrupts.ts';
import { type CommandLine, parseCommandLine } from '../command-line/parse-command-line.ts';
import { commands } from '../commands/commands.ts';
import { asConfigured } from '../config/entry/typed-entry.ts';
import type { ServerEntry } from '../config/entry/server-entry.ts';
import { type Configuration, loadConfiguration, type LoadOptions } from '../config/load-configuration.ts';
import { mask, maskCommand, maskHeader, maskTarget, maskValue } from '../config/entry/mask-secrets.ts';
import { homeDirectory } from '../config/home-directory.ts';
import { exitCodes, usageError } from '../errors.ts';
import { stateDirectories } from '../state-directories.ts';
import { repeatTyped, type TypedWords } from '../printed-command.ts';
import { logText } from '../views/log-text.ts';
import { hostState } from '../servers/host-state.ts';
import { LogFeed } from '../servers/log-feed.ts';
import { Output } from '../terminal/output.ts';
import { keepCall, shownWords, wordsAgain } from './last-call.ts';
import { printSuggestions } from './print-suggestions.ts';
import { terminalServers } from './terminal-servers.ts';
import { jsonText } from '../terminal/sanitize.ts';
import { RecordingFile } from '../recording/recording-file.ts';
import type { WireMessage } from '../servers/observed-connector.ts';
import { WireFeed } from '../servers/wire-feed.ts';
import { reportError } from '../terminal/report-error.ts';

/** Signals that end the command and its servers. A second signal ends the process immediately. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs `mcp` with the words of its command line, and returns the exit code. */
export async function runCommandLine(words: readonly string[], version: string): Promise<number> {
  const { stdout, stderr, env } = process;
  const stdin = () => process.stdin;
  const output = new Output({ stdin, stdout, stderr, json: isJson(words), env });
  const interrupts = new Interrupts();
  let endedBy: NodeJS.Signals | undefined;
  const interrupt = (signal: NodeJS.Signals) => {
    if (!interrupts.interrupt(signal === 'SIGINT' ? 'innermost' : 'all')) process.exit(exitCodes.interrupted);
    endedBy = signal;
  };
  for (const each of signals) process.on(each, interrupt);
  process.stdout.on('error', endUnwritten);
  // If stderr is closed, messages are lost, and the command continues.
  process.stderr.on('error', () => {});
  try {
    assertDirectory();
    const code = await run(words, version, output, interrupts);
    // SIGTERM is the usual way to end `mcp serve`, so the exit code is then not that of an interrupt.
    const isEnd =
      endedBy === 'SIGTERM' &&
      ['serve', 'dev', 'keep', 'replay', 'inspect'].some((name) => words.includes(name));
    return interrupts.signal.aborted && !isEnd ? exitCodes.interrupted : code;
  } catch (error) {
    if (interrupts.signal.aborted) return exitCodes.interrupted;
    return reportError(error, output);
  } finally {
    for (const each of signals) process.off(each, interrupt);
  }
}

/** Throws a `HostError` if the current directory was removed: no path can be resolved then. */
function assertDirectory(): void {
  try {
    process.cwd();
  } catch {
    throw usageError('The current directory was removed; change to another one');
  }
}

/** Whether words have the option `--json`, before the command of a server. */
function isJson(words: readonly string[]): boolean {
  const separator = words.indexOf('--');
  return words.slice(0, separator === -1 ? words.length : separator).includes('--json');
}

/**
 * Ends the process if stdout cannot be written, because the reading program (such as `head`) has ended, or
 * the disk is full.
 */
function endUnwritten(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(exitCodes.ok);
  process.stderr.write(`Cannot write the output: ${error.message}\n`);
  process.exit(exitCodes.usage);
}

async function run(
  words: readonly string[],
  version: string,
  output: Output,
  interrupts: Interrupts,
): Promise<number> {
  repeatTyped({ program: programOf(process.argv[1] ?? '') });
  const typed = wordsToComplete(words);
  if (typed) return printSuggestions(typed, output);
  const line = parseCommandLine(words, commands);
  const repeated = line.command.name === 'again' && !line.options['help'] ? repeatedCall(words) : undefined;
  if (repeated) {
    const own = output.withJson(output.json || isJson(repeated));
    if (!own.json) own.note(shownWords(repeated), 'dim');
    try {
      return await run(repeated, version, own, interrupts);
    } catch (error) {
      if (interrupts.signal.aborted) throw error;
      return reportError(error, own);
    }
  }
  const { command, positionals, options } = line;
  if (options['version']) return print(output, `mcp ${version}`);
  if (options['help']) return print(output, helpText(commands, line.named ? command : undefined));
  repeatTyped(typedWords(line));
  const load = loadOptionsOf(options, line.server);
  const { signal } = interrupts;
  const configuration = load ? await loadConfiguration({ ...load, signal }) : configurationOf(line.server);
  const warn = (message: string) => output.warning(message);
  // Warns of configuration files that cannot be used, except in commands that print these problems
  // themselves.
  const printsProblems = command.name === 'list' || (command.name === 'config' && positionals[0] === 'check');
  if (!printsProblems) for (const { error } of configuration.problems) warn(error.message);
  const state = hostState(warn);
  const logs = new LogFeed();
  const wire = new WireFeed();
  if (valueOf(options, 'log') !== undefined)
    logs.on('message', (message) => output.note(output.json ? jsonText(message) : logText(message), 'dim'));
  const { store, directories } = state;
  // A script must not replace the last call of its user.
  if (command.name === 'call' && process.stdin.isTTY) keepCall(words, directories);
  const base = {
    version,
    isBare: !line.named,
    positionals,
    options,
    configuration,
    load,
    output,
    stdin: () => process.stdin,
    signal,
  };
  await using telemetry = options['otel'] ? await telemetryOf(version, output) : undefined;
  const observe = telemetry?.observer;
  const input = { ...base, observe, store, directories, logs, wire, commands, interrupts };
  const trace = valueOf(options, 'trace');
  using recording = trace === undefined ? undefined : new RecordingFile(trace, warn);
  const isObserved = recording !== undefined || command.name === 'inspect';
  const onMessage = isObserved ? (message: WireMessage) => void wire.emit('message', message) : undefined;
  if (recording) wire.on('message', (message) => recording.add(message));
  // The export of telemetry ends later, and then the process.
  const onSilentLeft = telemetry ? () => {} : exitSoon;
  await using servers = terminalServers(command.name, input, { state, onMessage, onSilentLeft });
  return await command.run({ ...input, servers });
}

/** The words of the last call in this directory, changed by those after `mcp again`; undefined if none. */
function repeatedCall(words: readonly string[]): readonly string[] | undefined {
  return wordsAgain(words, stateDirectories(homeDirectory(), process.env, process.platform));
}

/**
 * Ends the process although a collector or a server that does not answer would keep it alive. The guard of
 * processes then ends the server.
 */
function exitSoon(): void {
  setTimeout(() => process.exit(), 100).unref();
}

/** Starts the export of telemetry, which ends last, when no server is left. */
async function telemetryOf(version: string, output: Output) {
  const { startTelemetry } = await import('@mcp/protocol/command-line');
  const command = 'npx -y -p @mcp/host -p @opentelemetry/sdk-node mcp serve --otel';
  const warn = (message: string) => output.warning(message);
  try {
    const { observer, stop } = await startTelemetry({ name: 'mcp', version, command, allowed: [], warn });
    return { observer, [Symbol.asyncDispose]: () => stop().then(exitSoon) };
  } catch (error) {
    throw usageError(messageOf(error));
  }
}

/**
 * The words after `__complete`, with which completion scripts call `mcp`. If `mcp` is a shell alias,
 * `--config <file>` may come before `__complete`.
 */
function wordsToComplete(words: readonly string[]): readonly string[] | undefined {
  const at = words.indexOf('__complete');
  const before = words.slice(0, at);
  if (at === -1 || before.some((word, index) => index % 2 === 0 && word !== '--config')) return undefined;
  return [...before, ...words.slice(at + 1)];
}

function print(output: Output, text: string): number {
  output.text(text);
  return exitCodes.ok;
}

/**
 * Options that printed commands repeat, because they choose the servers or change what `mcp` offers to
 * servers.
 */
const repeatedOptions = [
  'config',
  'root',
  'revision',
  'sampling',
  'env',
  'header',
  'client-id',
  'start-timeout',
];

/** The words that printed commands repeat, with a placeholder for each secret. */
function typedWords({ options, server }: CommandLine): Omit<TypedWords, 'program'> {
  const shown = (word: string) => word.replaceAll(mask, '<secret>');
  const withoutSecrets = (value: string, option: string) => {
    const masked = maskOption(option, value);
    return masked.includes(mask) ? shown(masked) : value;
  };
  const repeated = repeatedOptions.flatMap((name) => {
    const values = options[name];
    return Array.isArray(values)
      ? values.flatMap((value: string) => [`--${name}`, withoutSecrets(value, name)])
      : [];
  });
  const target = server && maskTarget(server.target, []);
  return {
    options: repeated,
    url: target?.kind === 'http' ? [shown(target.url)] : [],
    command: target?.kind === 'stdio' ? ['--', target.command, ...target.args.map(shown)] : [],
  };
}

/** Options with paths, which are not secrets, even if a name in them looks like a random token. */
const pathOptions = ['config', 'root'];

/** The value of an option for display, without secrets. */
function maskOption(option: string, value: string): string {
  if (pathOptions.includes(option)) return value;
  const separator = { env: '=', header: ':' }[option];
  if (separator === undefined) return maskCommand(value);
  const at = value.indexOf(separator);
  // The name of a variable alone, and a variable in a header, are no secrets.
  if (at === -1 || /\$\{\w+\}/.test(value)) return value;
  const start = value.slice(0, at + 1);
  const rest = value.slice(at + 1).trimStart();
  const space = value.slice(at + 1, value.length - rest.length);
  const show = option === 'header' ? maskHeader : maskValue;
  return `${start}${space}${show(value.slice(0, at), rest)}`;
}

/**
 * The name of this program in printed commands: the way in which it was started. `mcp` alone would not always
 * work: npx puts no `mcp` on the PATH, and an `mcp` on the PATH may be that of the Python SDK.
 */
function programOf(script: string): string {
  if (/[\\/]node_modules[\\/]\.bin[\\/]/.test(script)) return 'npx -y @mcp/host';
  return basename(script) === 'mcp-host' ? 'mcp-host' : 'mcp';
}

/**
 * Which configuration files to read; undefined if the command line names a server by its URL or command,
 * because then no file is read.
 */
function loadOptionsOf(options: OptionValues, server: ServerEntry | undefined): LoadOptions | undefined {
  if (server) return undefined;
  const files = options['config'];
  return Array.isArray(files) ? { files } : {};
}

function configurationOf(server: ServerEntry | undefined): Configuration {
  return { servers: server ? [asConfigured(server)] : [], shadowed: [], problems: [], files: [] };
}
