import { textOf } from '../display-name.ts';

/**
 * The NUL-separated fields of a command's output. No name or message can contain a NUL, so none can forge a
 * field.
 */
export function fields(output: Buffer): string[] {
  const text = textOf(output);
  const all = text.split('\0');
  if (all.at(-1) === '' || all.at(-1) === '\n') all.pop();
  return all;
}

/** Groups the fields into rows of `width`; git may print a line break between two rows. */
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

/** Normalises a date of git, whose versions write UTC as `+00:00` or `Z`. */
export function utc(date: string): string {
  return date.replace(/\+00:00$/, 'Z');
}
