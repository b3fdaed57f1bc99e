import { argv } from '../../argv.ts';
import type { Command, OutputReader } from '../../command.ts';
import { afterNuls, recordReader } from '../../parse/record-reader.ts';
import { textOf } from '../../safe-text.ts';

export interface GrepMatch {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface GrepResult {
  readonly matches: readonly GrepMatch[];
  readonly more: boolean;
}

export interface GrepOptions {
  readonly pattern: string;
  readonly revision?: string | undefined;
  readonly paths?: readonly string[];
  readonly ignoreCase?: boolean;
  /** Whether `pattern` is an extended regular expression rather than text. */
  readonly regexp?: boolean;
  readonly max: number;
  /** Returns true for files whose matches are left out. */
  readonly skip?: ((path: Buffer) => boolean) | undefined;
}

const maxLineLength = 500;

/** Finds the lines that match a pattern, in tracked files of the work tree or in a revision. */
export function grep({
  pattern,
  revision,
  paths = [],
  ignoreCase,
  regexp,
  max,
  skip,
}: GrepOptions): Command<GrepResult> {
  return {
    args: argv`grep -z --line-number --full-name --no-color --no-textconv --no-recurse-submodules -I
      ${regexp ? '--extended-regexp' : '--fixed-strings'} ${ignoreCase && '--ignore-case'} -e ${pattern}
      ${revision} -- ${paths}`,
    accept: [1],
    reader: () => grepReader(revision === undefined ? 0 : revision.length + 1, max, skip),
  };
}

/** Reads records of the form `path NUL line number NUL text LF`. Only the path may contain line breaks. */
export function grepReader(
  prefix: number,
  max: number,
  skip?: GrepOptions['skip'],
): OutputReader<GrepResult> {
  const matches: GrepMatch[] = [];
  return recordReader({
    endOf(bytes, start) {
      const text = afterNuls(bytes, start, 2);
      return text === -1 ? -1 : bytes.indexOf(10, text) + 1 || -1;
    },
    add(record) {
      const line = record.indexOf(0) + 1;
      const text = record.indexOf(0, line) + 1;
      const path = record.subarray(0, line - 1);
      if (!skip?.(path)) {
        matches.push({
          path: textOf(path).slice(prefix),
          line: Number(record.toString('latin1', line, text - 1)),
          text: shorten(textOf(record.subarray(text, -1))),
        });
      }
      return matches.length <= max;
    },
    result: () => ({ matches: matches.slice(0, max), more: matches.length > max }),
  });
}

function shorten(text: string): string {
  return text.length <= maxLineLength ? text : `${text.slice(0, maxLineLength)}…`;
}
