import { shellWord } from './shell-word.ts';

/** What the command line of this process says of its servers, which the commands that it prints repeat. */
export interface TypedWords {
  /** How `mcp` was started: `mcp`, `mcp-host` or `npx -y @mcp/host`. */
  readonly program: string;
  /** Options that choose servers, or what servers see, with their values. */
  readonly options: readonly string[];
  /** The address of a server. */
  readonly url: readonly string[];
  /** `--` and the command of a server. */
  readonly command: readonly string[];
}

let typed: TypedWords = { program: 'mcp', options: [], url: [], command: [] };

/** Makes the commands that this process prints repeat these words. */
export function repeatTyped(words: TypedWords): void {
  typed = words;
}

/** A command to run in the same directory, for the same servers: `mcp --config a.json trust files`. */
export function printedCommand(...words: readonly string[]): string {
  const { program, options, url, command } = typed;
  const behindName = words.findIndex((word) => !word.startsWith('-')) + 1;
  const [start, rest] = [words.slice(0, behindName), words.slice(behindName)];
  return [program, ...[...options, ...start, ...url, ...rest, ...command].map(printed)].join(' ');
}

/** A placeholder, such as `files.<tool>`, is replaced before it comes to a shell. */
function printed(word: string): string {
  return /<\w+>/.test(word) ? word : shellWord(word);
}
