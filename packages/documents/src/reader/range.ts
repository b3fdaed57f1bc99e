import { Refusal } from './refusal.ts';

/** A range of pages or rows, counted from 1; the last one belongs to it. */
export interface Range {
  readonly first: number;
  readonly last: number;
}

/** Reads `3`, `3-5` or `3-`. All by default. */
export function parseRange(name: 'pages' | 'rows', text: string | undefined): Range {
  if (text === undefined) return { first: 1, last: Infinity };
  const [, start = '', to, end = ''] = /^(\d{1,9})(-)?(\d{1,9})?$/.exec(text) ?? [];
  const first = Number(start);
  const last = to === undefined ? first : end === '' ? Infinity : Number(end);
  if (start === '' || first < 1 || last < first || (to === undefined && end !== ''))
    throw new Refusal(
      `has no ${name} ${JSON.stringify(text)}: give a number or a range, for example 3, 3-5 or 3- (to the end)`,
    );
  return { first, last };
}

/** The rest of a range, from a number on, as a request has it. */
export function rest(first: number, { last }: Range): string {
  return last === Infinity ? `${first}-` : `${first}-${last}`;
}
