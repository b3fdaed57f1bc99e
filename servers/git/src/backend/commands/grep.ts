import type { Command, OutputReader } from '../command.ts';
import { textOf } from '../display-name.ts';

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

/** Finds lines with a text, in tracked files of the work tree or in a revision. */
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
    args: [
      'grep',
      '-z',
      '--line-number',
      '--full-name',
      '--no-color',
      '--no-textconv',
      '--no-recurse-submodules',
      '-I',
      regexp ? '--extended-regexp' : '--fixed-strings',
      ...(ignoreCase ? ['--ignore-case'] : []),
      '-e',
      pattern,
      ...(revision === undefined ? [] : [revision]),
      '--',
      ...paths,
    ],
    accept: [1],
    reader: () => new GrepReader(revision === undefined ? 0 : revision.length + 1, max, skip),
  };
}

/** Reads `path NUL line NUL text` up to a line break: a path can contain line breaks, a line cannot. */
export class GrepReader implements OutputReader<GrepResult> {
  readonly #matches: GrepMatch[] = [];
  readonly #prefix: number;
  readonly #max: number;
  readonly #skip: GrepOptions['skip'];
  #rest: Buffer = Buffer.alloc(0);

  constructor(prefix: number, max: number, skip?: GrepOptions['skip']) {
    this.#prefix = prefix;
    this.#max = max;
    this.#skip = skip;
  }

  push(chunk: Buffer): boolean {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    let at = 0;
    while (this.#matches.length <= this.#max) {
      const pathEnd = bytes.indexOf(0, at);
      const lineEnd = pathEnd === -1 ? -1 : bytes.indexOf(0, pathEnd + 1);
      const textEnd = lineEnd === -1 ? -1 : bytes.indexOf(10, lineEnd + 1);
      if (textEnd === -1) break;
      const path = bytes.subarray(at, pathEnd);
      if (!this.#skip?.(path)) {
        this.#matches.push({
          path: textOf(path).slice(this.#prefix),
          line: Number(bytes.toString('latin1', pathEnd + 1, lineEnd)),
          text: shorten(textOf(bytes.subarray(lineEnd + 1, textEnd))),
        });
      }
      at = textEnd + 1;
    }
    this.#rest = bytes.subarray(at);
    return this.#matches.length <= this.#max;
  }

  result(): GrepResult {
    return { matches: this.#matches.slice(0, this.#max), more: this.#matches.length > this.#max };
  }
}

function shorten(text: string): string {
  return text.length <= maxLineLength ? text : `${text.slice(0, maxLineLength)}…`;
}
