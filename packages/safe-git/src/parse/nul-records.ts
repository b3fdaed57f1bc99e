import type { Command } from '../command.ts';
import { textOf } from '../safe-text.ts';

/** The NUL-separated fields of an output: no name or message contains a NUL, so none can forge a field. */
export function fields(output: Buffer): string[] {
  const text = textOf(output);
  const all = text.split('\0');
  if (all.at(-1) === '' || all.at(-1) === '\n') all.pop();
  return all;
}

/**
 * A command that prints paths, each of which ends with a NUL; up to 256 MiB of them. There are none if git
 * ends with an exit code of `accept`.
 */
export function pathList(args: readonly string[], accept: readonly number[] = []): Command<string[]> {
  return {
    args,
    accept,
    maxBytes: 256 * 1024 * 1024,
    parse: ({ code, stdout }) => (code === 0 ? fields(stdout) : []),
  };
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

/**
 * Options that make the commits of `git log` and `git show` the same on every machine, in spite of
 * configuration. For a date that git cannot parse, %ad prints nothing, whereas %aI prints the letters `%aI`.
 */
export const plainCommits = ['--date=iso-strict', '--no-show-signature', '--no-notes', '--encoding=UTF-8'];

/** Options that print these fields of each commit, separated by NULs. */
export function commitFields(fields: readonly string[]): string[] {
  return ['-z', `--format=tformat:${fields.join('%x00')}`, ...plainCommits];
}

/** The ISO 8601 date of seconds since 1970 in a zone such as `+0200`. */
export function zonedDate(seconds: number, zone: string): string {
  const [, sign, hours, minutes] = /^([+-])(\d\d)(\d\d)$/.exec(zone) ?? [];
  const offset = (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
  const date = new Date((seconds + offset * 60) * 1000);
  if (Number.isNaN(date.getTime())) return String(seconds);
  return utc(`${date.toISOString().slice(0, 19)}${sign ? `${sign}${hours}:${minutes}` : 'Z'}`);
}
