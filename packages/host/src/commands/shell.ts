import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Command, CommandInput, OptionValues } from '../command-line/command.ts';
import { completeWords } from '../command-line/completion/complete-words.ts';
import { serverSuggestions } from '../command-line/completion/server-suggestions.ts';
import { parseCommandLine } from '../command-line/parse-command-line.ts';
import { helpText } from '../command-line/help-text.ts';
import { reportError } from '../terminal/report-error.ts';
import { splitLine, splitWords } from '../command-line/split-words.ts';
import { maskArguments } from '../config/entry/mask-secrets.ts';
import { exitCodes, usageError } from '../errors.ts';
import { followConfiguration } from '../servers/follow-configuration.ts';
import { printedCommand } from '../printed-command.ts';
import { readHistory, writeHistory } from '../terminal/history-file.ts';

/** Commands that are not available in `mcp shell`. */
const excluded = 'shell serve dev keep test replay inspect add install again completion'.split(' ');

/** The words that start this program. A line in `mcp shell` may begin with them. */
const programs = [['mcp'], ['mcp-host'], ['npx', '-y', '@mcp/host']];

/** Options that take effect only when `mcp shell` starts. */
const startOptions = ['config', 'root', 'yes', 'verbose', 'log', 'sampling', 'revision'];

export const shell: Command = {
  name: 'shell',
  usage: '',
  help: 'reads commands, one in each line, without the word mcp; servers stay open. Ctrl-C cancels a command, Ctrl-D ends',
  words: [],
  async run(input) {
    const { output, directories, interrupts } = input;
    const { stdin, stdout } = process;
    const commands = input.commands.filter(({ name }) => !excluded.includes(name));
    const file = join(directories.state, 'history');
    const interactive = stdin.isTTY === true;
    if (interactive) output.note('Type a command, help, or exit', 'dim');
    const sources = serverSuggestions(input.servers, { canOpen: true });
    const { LineReader } = await import('../terminal/line-reader.ts');
    const reader = new LineReader({
      input: stdin,
      output: stdout,
      prompt: 'mcp> ',
      signal: input.signal,
      history: interactive ? readHistory(file) : [],
      complete: async (line) => completeLine(line, await completeWords(wordsOf(line), commands, sources)),
    });
    const following = followServers(input);
    let code: number = exitCodes.ok;
    for (let line = await reader.next(); line !== undefined; line = await reader.next()) {
      if (['exit', 'quit'].includes(line.trim())) break;
      code = await interrupts.scope((signal) => runLine(line, { ...input, commands, signal }));
      if (interactive) writeHistory(file, reader.history.filter(isWithoutSecrets));
    }
    void following.then((stop) => stop());
    // A script ends with the exit code of its last command. An interactive shell ends with 0, because the
    // user has seen the errors.
    return interactive ? exitCodes.ok : code;
  },
};

/** Whether a line may be kept in a file: none of its words looks like a secret. */
function isWithoutSecrets(line: string): boolean {
  const { words } = splitLine(line);
  return maskArguments(words).every((word, index) => word === words[index]);
}

/** Reloads the servers when the configuration changes, until the returned function is called. */
function followServers({ servers, load, output }: CommandInput): Promise<() => void> {
  return followConfiguration(servers, {
    load,
    onWarning: (message) => output.warning(message),
    onChange: (changes) => {
      for (const [what, names] of Object.entries(changes) as [string, readonly string[]][])
        if (names.length > 0) output.note(`Configuration: ${what} ${names.join(', ')}`, 'dim');
    },
  });
}

/** Runs one line and prints its errors; returns the exit code. */
async function runLine(line: string, input: CommandInput): Promise<number> {
  const { signal, commands } = input;
  let output = input.output;
  try {
    const words = withoutProgram(splitWords(line));
    if (line.trim() === '' || words[0]?.startsWith('#')) return exitCodes.ok;
    const [name = ''] = words;
    if (excluded.includes(name))
      throw usageError(`The shell does not have this command: run mcp ${name} outside of it`);
    const parsed = parseCommandLine(words, commands);
    const { command, named, positionals, options, server } = parsed;
    output = input.output.withJson(options['json'] === true || input.output.json);
    if (server)
      throw usageError(
        'A line of the shell cannot name a server by a URL or after --; start another shell with that URL or command',
      );
    assertTakesEffect(options, input.options);
    if (options['help']) {
      output.text(helpText(commands, named ? command : undefined));
      return exitCodes.ok;
    }
    const stdin = () => (process.stdin.isTTY ? process.stdin : Readable.from([]));
    return await command.run({ ...input, output, positionals, options, stdin, staysOpen: true });
  } catch (error) {
    if (signal.aborted) {
      output.note('Interrupted', 'dim');
      return exitCodes.interrupted;
    }
    return reportError(error, output);
  }
}

/** Removes the words that start the program: users copy printed commands into `mcp shell`. */
function withoutProgram(words: readonly string[]): readonly string[] {
  const program = programs.find((each) => each.every((word, index) => words[index] === word));
  return words.slice(program?.length ?? 0);
}

/** Throws for an option that takes effect only at the start, unless `mcp shell` started with this value. */
function assertTakesEffect(typed: OptionValues, started: OptionValues): void {
  for (const name of startOptions) {
    const value = typed[name];
    if (value === undefined || JSON.stringify(value) === JSON.stringify(started[name])) continue;
    const words = Array.isArray(value)
      ? (value as string[]).flatMap((each) => [`--${name}`, each])
      : [`--${name}`];
    const hint = `${printedCommand('shell', ...words)} starts a shell with it`;
    throw usageError(`--${name} cannot be changed inside a shell`, hint);
  }
}

/** The words of a line; the last one is empty if the next word has not begun. */
function wordsOf(line: string): readonly string[] {
  const { words, isOpen } = splitLine(line);
  return isOpen ? words : [...words, ''];
}

/** Suggestions as readline takes them: the completed words, and the text that they replace. */
function completeLine(
  line: string,
  suggestions: readonly { readonly value: string }[],
): readonly [string[], string] {
  const typed = wordsOf(line).at(-1) ?? '';
  // Readline would replace the plain text of the word at the end of the line. If the word is quoted, the line
  // does not end with this text, so nothing is suggested.
  if (!line.endsWith(typed)) return [[], line];
  return [suggestions.map(({ value }) => (/[.=/:]$/.test(value) ? value : `${value} `)), typed];
}
