import { codeOf, lineOf, listOf, numberOf, objectOf } from '@mcp/views/model';

/** Lines of a file, as `read_lines` gives them. */
export interface Lines {
  readonly path: string;
  readonly version: string;
  readonly size: number;
  /** When the file was last changed, in milliseconds of Unix time. */
  readonly modified: number;
  /** Undefined if the file is still of the version that the page has. */
  readonly lines: readonly string[] | undefined;
  /** The number of all lines; undefined if they were not counted. */
  readonly total: number | undefined;
  readonly more: boolean;
}

/** Reads the structured content of `read_lines`. */
export function linesOf(content: unknown): Lines {
  const { path, version, size, modified, lines, total, more } = objectOf(content);
  return {
    path: lineOf(path, 400),
    version: String(version),
    size: numberOf(size) ?? 0,
    modified: numberOf(modified) ?? 0,
    lines: lines === undefined ? undefined : listOf(lines, 1_000).map(codeOf),
    total: numberOf(total),
    more: more === true,
  };
}
