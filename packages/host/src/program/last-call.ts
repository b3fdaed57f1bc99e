import { join } from 'node:path';
import { commonOptions } from '../command-line/common-options.ts';
import { call } from '../commands/call.ts';
import { maskArguments } from '../config/entry/mask-secrets.ts';
import { JsonDirectory } from '../json-directory.ts';
import { shellWord } from '../shell-word.ts';
import type { StateDirectories } from '../state-directories.ts';

/** Maximum number of directories whose last call is kept. */
const maxEntries = 100;

/** The words of the last call of each directory, in files that only the user can read. */
function lastCalls({ state }: StateDirectories): JsonDirectory<readonly string[]> {
  // A history is a convenience: without it, the command continues.
  return new JsonDirectory(join(state, 'calls'), { isValid: isWords, warn: () => {}, maxEntries });
}

/** Keeps the words of a call, for `mcp again` in this directory. */
export function keepCall(words: readonly string[], directories: StateDirectories): void {
  lastCalls(directories).set(process.cwd(), words);
}

/**
 * The words of the last call in this directory, with those after `mcp again`; undefined if there is none. An
 * argument `key=value` replaces that of the same key.
 */
export function wordsAgain(
  words: readonly string[],
  directories: StateDirectories,
): readonly string[] | undefined {
  const last = lastCalls(directories).get(process.cwd());
  if (!last) return undefined;
  const separator = last.indexOf('--');
  const own = separator === -1 ? last : last.slice(0, separator);
  const added = words.toSpliced(words.indexOf('again'), 1);
  const program = separator === -1 || added.includes('--') ? [] : last.slice(separator);
  const keys = new Set(added.flatMap((word) => keyOf(word) ?? []));
  // The value of an option, such as that of `--env A=1`, is no argument of the tool.
  const isReplaced = (word: string, index: number) =>
    keys.has(keyOf(word) ?? '') && !valueOptions.includes(own[index - 1] ?? '');
  return [...own.filter((word, index) => !isReplaced(word, index)), ...added, ...program];
}

/** The options that take the next word as their value. */
const valueOptions = [...(call.options ?? []), ...commonOptions].flatMap(({ name, value }) =>
  value === undefined ? [] : [`--${name}`],
);

/** A command line for display, with secrets masked. */
export function shownWords(words: readonly string[]): string {
  return ['mcp', ...maskArguments(words)].map(shellWord).join(' ');
}

function keyOf(word: string): string | undefined {
  return /^([^-=:][^=:]*):?=/.exec(word)?.[1];
}

function isWords(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((word) => typeof word === 'string');
}
