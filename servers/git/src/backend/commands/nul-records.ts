import { textOf } from '../display-name.ts';

/** The NUL-separated fields of a command's output. Nothing that git prints can hold a NUL, so none can be forged. */
export function fields(output: Buffer): string[] {
  const text = textOf(output);
  const all = text.split('\0');
  if (all.at(-1) === '' || all.at(-1) === '\n') all.pop();
  return all;
}

/** The fields of a command's output in rows of the same width; git may put a line break between two rows. */
export function rows(output: Buffer, width: number): string[][] {
  const all = fields(output);
  const grouped: string[][] = [];
  for (let at = 0; at + width <= all.length; at += width) {
    const row = all.slice(at, at + width);
    if (at > 0) row[0] = row[0]!.replace(/^\n/, '');
    grouped.push(row);
  }
  return grouped;
}

/** A date as git prints it; the zone of Greenwich it has written in two ways over time. */
export function utc(date: string): string {
  return date.replace(/\+00:00$/, 'Z');
}
