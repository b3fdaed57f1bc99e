import { codeOf, listOf, numberOf, objectOf } from '@mcp/views/model';

/** A row of a patch, as `read_patch` gives it, with texts that can be shown. */
export interface PatchRow {
  readonly kind: string;
  readonly old: number;
  readonly new: number;
  readonly text: string;
  readonly added: string;
  /** The header of a hunk, as the tools take it. */
  readonly header: string;
}

export interface PatchAnswer {
  readonly rows: readonly PatchRow[];
  readonly more: boolean;
  readonly total: number | undefined;
  /** By which the server knows the diff. */
  readonly index: string;
}

/** Reads the structured content of `read_patch`. */
export function patchOf(content: unknown): PatchAnswer {
  const { rows, more, total, index } = objectOf(content);
  return {
    rows: listOf(rows, 1_000).map(rowOf),
    more: more === true,
    total: numberOf(total),
    index: typeof index === 'string' ? index : '',
  };
}

function rowOf(value: unknown): PatchRow {
  const [kind, old, added, text, beside] = listOf(value, 5);
  return {
    kind: typeof kind === 'string' ? kind : ' ',
    old: numberOf(old) ?? 0,
    new: numberOf(added) ?? 0,
    text: codeOf(text),
    added: codeOf(beside),
    header: kind === '@' && typeof text === 'string' ? (/^@@[^@]*@@/.exec(text)?.[0] ?? '') : '',
  };
}

/** The names of the changed lines of a row: `-7` and `+8`. */
export function changesOf({ kind, old, new: added }: PatchRow): readonly string[] {
  if (kind === '-') return [`-${old}`];
  if (kind === '+') return [`+${added}`];
  return kind === '|' ? [`-${old}`, `+${added}`] : [];
}

/** Names of lines as the tools take them, neighbours together: `+8-10`. */
export function rangesOf(lines: Iterable<string>): string[] {
  const all = [...lines].map((line) => ({ sign: line[0]!, at: Number(line.slice(1)) }));
  const ranges: { sign: string; from: number; to: number }[] = [];
  for (const { sign, at } of all.toSorted((a, b) => a.sign.localeCompare(b.sign) || a.at - b.at)) {
    const last = ranges.at(-1);
    if (last?.sign === sign && last.to === at - 1) last.to = at;
    else ranges.push({ sign, from: at, to: at });
  }
  return ranges.map(({ sign, from, to }) => `${sign}${from}${to > from ? `-${to}` : ''}`);
}

/** The part in which two lines differ, from their first other character to before their last. */
export function differenceOf(
  a: string,
  b: string,
): readonly [from: number, toA: number, toB: number] | undefined {
  let from = 0;
  while (from < a.length && from < b.length && a[from] === b[from]) from++;
  let end = 0;
  const room = Math.min(a.length, b.length) - from;
  while (end < room && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  // Lines that have little in common are other lines.
  const same = from + end;
  return same * 3 < Math.max(a.length, b.length) ? undefined : [from, a.length - end, b.length - end];
}
