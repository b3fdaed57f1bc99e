import { lineOf, listOf, numberOf, objectOf } from '@mcp/views/model';

/** An entry of a directory, as `read_sizes` gives it. */
export interface Entry {
  readonly name: string;
  /** The name as it can be shown. */
  readonly text: string;
  readonly kind: string;
  /** In bytes: of a file, or of all files in a directory. */
  readonly size: number;
}

/** A page of a directory, and what is known of all of it. */
export interface Sizes {
  readonly path: string;
  readonly prefix: string;
  readonly entries: readonly Entry[];
  readonly total: number;
  readonly bytes: number;
  readonly files: number;
  readonly unreadable: number;
}

/** Reads the structured content of `read_sizes`. */
export function sizesOf(content: unknown): Sizes {
  const { path, prefix, entries, total, bytes, files, filesInside, unreadable } = objectOf(content);
  return {
    path: lineOf(path, 400),
    prefix: typeof prefix === 'string' ? prefix : '',
    entries: listOf(entries, 500).map(entryOf),
    total: numberOf(total) ?? 0,
    bytes: numberOf(bytes) ?? 0,
    files: (numberOf(files) ?? 0) + (numberOf(filesInside) ?? 0),
    unreadable: numberOf(unreadable) ?? 0,
  };
}

function entryOf(value: unknown): Entry {
  const [name, kind, size] = listOf(value, 3);
  return {
    name: String(name),
    text: lineOf(name, 260),
    kind: typeof kind === 'string' ? kind : 'other',
    size: Math.max(0, numberOf(size) ?? 0),
  };
}

const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** A number of bytes with a unit: `1.2 MB`. */
export function sizeText(bytes: number): string {
  let [unit, value] = [0, bytes];
  for (; value >= 999.5 && unit < units.length - 1; unit++) value /= 1_000;
  return `${unit === 0 || value >= 99.5 ? Math.round(value) : value.toPrecision(2)} ${units[unit]}`;
}

/** One of six colours for files with the same end of their names; 0 for other entries. */
export function colourOf({ name, kind }: Entry): number {
  const [, ending = ''] = /\.([^.]{1,12})$/.exec(name) ?? [];
  if (kind !== 'file' || ending === '') return 0;
  let sum = 7;
  for (const character of ending.toLowerCase()) sum = (sum * 31 + character.codePointAt(0)!) % 9_973;
  return 1 + (sum % 6);
}
