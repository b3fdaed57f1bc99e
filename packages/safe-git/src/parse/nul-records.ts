import type { Command } from '../command.ts';
import { textOf } from '../safe-text.ts';

/** Splits an output at its NULs. Names and messages cannot contain a NUL, so they cannot forge a field. */
export function fields(output: Buffer): string[] {
  const text = textOf(output);
  const all = text.split('\0');
  if (all.at(-1) === '' || all.at(-1) === '\n') all.pop();
  return all;
}

/** Reads paths that end with NULs, up to 256 MiB. If git exits with a code in `accept`, returns no paths. */
export function pathList(args: readonly string[], accept: readonly number[] = []): Command<string[]> {
  return {
    args,
    accept,
    maxBytes: 256 * 1024 * 1024,
    parse: ({ code, stdout }) => (code === 0 ? fields(stdout) : []),
  };
}

/** Groups fields into rows of `width` fields. Git may print a line break between two rows. */
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

/** Writes UTC in a date as `Z`, because some versions of git write `+00:00`. */
export function utc(date: string): string {
  return date.replace(/\+00:00$/, 'Z');
}

/**
 * Makes `git log` and `git show` independent of the configuration. Dates use %ad, because %aI prints `%aI`
 * for a date that git cannot parse.
 */
export const plainCommits = ['--date=iso-strict', '--no-show-signature', '--no-notes', '--encoding=UTF-8'];

/** Options that print these fields of each commit with NULs between them. */
export function commitFields(fields: readonly string[]): string[] {
  return ['-z', `--format=tformat:${fields.join('%x00')}`, ...plainCommits];
}

/** Converts seconds since 1970 to an ISO 8601 date in a zone such as `+0200`. */
export function zonedDate(seconds: number, zone: string): string {
  const [, sign, hours, minutes] = /^([+-])(\d\d)(\d\d)$/.exec(zone) ?? [];
  const offset = (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
  const date = new Date((seconds + offset * 60) * 1000);
  if (Number.isNaN(date.getTime())) return String(seconds);
  return utc(`${date.toISOString().slice(0, 19)}${sign ? `${sign}${hours}:${minutes}` : 'Z'}`);
}
