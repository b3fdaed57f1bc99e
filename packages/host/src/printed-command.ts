import { shellWord } from './shell-word.ts';

/**
 * The parts of this process's command line that decide which servers are used. When `mcp` prints a command as
 * advice, the command repeats them.
 */
export interface TypedWords {
  /** How `mcp` was started: `mcp`, `mcp-host` or `npx -y @mcp/host`. */
  readonly program: string;
  /** Options that choose servers or change what servers see, with their values. */
  readonly options: readonly string[];
  /** The address of a server, if the command line names one. */
  readonly url: readonly string[];
  /** `--` and the command of a server, if the command line names one. */
  readonly command: readonly string[];
}

let typed: TypedWords = { program: 'mcp', options: [], url: [], command: [] };

/** Sets the words that printed commands repeat. */
export function repeatTyped(words: Partial<TypedWords>): void {
  typed = { ...typed, ...words };
}

/** A command to run in the same directory for the same servers, such as `mcp --config a.json trust files`. */
export function printedCommand(...words: readonly string[]): string {
  const { program, options, url, command } = typed;
  const behindName = words.findIndex((word) => !word.startsWith('-')) + 1;
  const [start, rest] = [words.slice(0, behindName), words.slice(behindName)];
  return [program, ...[...options, ...start, ...url, ...rest, ...command].map(printed)].join(' ');
}

/**
 * Quotes a word for a shell. The placeholder in `files.<tool>` needs no quotes, because the user replaces it.
 */
function printed(word: string): string {
  return shellWord(word.replace(/<\w+>/, 'x')) === word.replace(/<\w+>/, 'x') ? word : shellWord(word);
}
