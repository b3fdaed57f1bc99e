import { Refusal } from './refusal.ts';

/** A range of pages or rows. Numbers are counted from 1, and `last` belongs to the range. */
export interface Range {
  readonly first: number;
  readonly last: number;
}

/** Parses a range such as `3`, `3-5` or `3-`. Undefined means all. */
export function parseRange(name: 'pages' | 'rows', text: string | undefined): Range {
  if (text === undefined) return { first: 1, last: Infinity };
  const [, start = '', to, end = ''] = /^(\d{1,9})(-)?(\d{1,9})?$/.exec(text) ?? [];
  const first = Number(start);
  const last = to === undefined ? first : end === '' ? Infinity : Number(end);
  if (start === '' || first < 1 || last < first || (to === undefined && end !== ''))
    throw new Refusal(
      `has no ${name} ${JSON.stringify(text)}; expected a number or a range, for example 3, 3-5 or 3- (to the end)`,
    );
  return { first, last };
}

/** Returns the rest of a range, from `first` on, in the form of a request. */
export function rest(first: number, { last }: Range): string {
  return last === Infinity ? `${first}-` : `${first}-${last}`;
}
