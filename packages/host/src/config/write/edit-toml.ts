import { stringify } from 'smol-toml';

/** A text of TOML with a further table at its end, behind an empty line. All else stays as it is. */
export function appendTable(text: string, path: readonly string[], value: object): string {
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const root = path.reduceRight<object>((inner, key) => ({ [key]: inner }), value);
  const table = stringify(root).trim().replaceAll('\n', lineBreak);
  if (text.replace('\uFEFF', '') === '') return `${text}${table}${lineBreak}`;
  // A text without a line break at its end has none with the table either: its removal restores the text.
  return text.endsWith('\n')
    ? `${text}${lineBreak}${table}${lineBreak}`
    : `${text}${lineBreak}${lineBreak}${table}`;
}

/**
 * A text of TOML without a table and the tables in it, if each has a header of its own. Of the empty lines
 * before and behind a table, one is removed too; comments stay.
 */
export function removeTable(text: string, path: readonly string[]): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const lines = text.slice(mark.length).split(/(?<=\n)/);
  const states = linesOutside(lines);
  const isBlank = (index: number) => states[index] === true && lines[index]?.trim() === '';
  const isComment = (index: number) => states[index] === true && /^\s*#/.test(lines[index]!);
  const removed = new Set<number>();
  let isInside = false;
  // The first line that goes with the next one of the table: empty lines at the end of a table stay.
  let start = 0;
  for (const [index, line] of lines.entries()) {
    const header = states[index] ? headerOf(line) : undefined;
    if (header) [isInside, start] = [path.every((key, at) => header[at] === key), index];
    if (!isInside || isBlank(index) || isComment(index)) continue;
    for (; start <= index; start++) if (!isComment(start)) removed.add(start);
  }
  for (const [index] of lines.entries()) {
    if (!isBlank(index) || removed.has(index) || !removed.has(index + 1)) continue;
    const next = lines.findIndex((_, at) => at > index && !removed.has(at));
    if (next === -1 || isBlank(next)) removed.add(index);
  }
  const rest = lines.filter((_, index) => !removed.has(index)).join('');
  const kept = removed.has(0) ? rest.replace(/^(?:[ \t]*\r?\n)+/, '') : rest;
  const isUnended = removed.has(lines.length - 1) && !text.endsWith('\n');
  return mark + (isUnended ? kept.replace(/\r?\n$/, '') : kept);
}

/** For each line, whether it begins outside of a string and of an array that began on a line before it. */
function linesOutside(lines: readonly string[]): readonly boolean[] {
  let quote: string | undefined;
  let depth = 0;
  return lines.map((line) => {
    const isOutside = quote === undefined && depth === 0;
    const isHeader = isOutside && /^\s*\[/.test(line);
    for (let at = 0; at < line.length; at++) {
      const rest = line.slice(at);
      if (quote !== undefined) {
        if (quote.startsWith('"') && line[at] === '\\') at++;
        else if (rest.startsWith(quote)) {
          at += quote.length - 1;
          quote = undefined;
        }
      } else if (line[at] === '#') break;
      else if (/^["']/.test(rest)) {
        quote = /^(?:"""|'''|["'])/.exec(rest)![0];
        at += quote.length - 1;
      } else if (!isHeader && /[[{]/.test(line[at]!)) depth++;
      else if (!isHeader && /[\]}]/.test(line[at]!)) depth--;
    }
    // Strings in single quotes end with their line.
    if (quote?.length === 1) quote = undefined;
    return isOutside;
  });
}

/** The keys of a header such as `[a."b.c"]`; undefined for another line. */
function headerOf(line: string): readonly string[] | undefined {
  const [, inside] = /^\s*\[\[?(.*?)\]\]?\s*(?:#.*)?$/.exec(line.trimEnd()) ?? [];
  if (inside === undefined) return undefined;
  const keys = [...inside.matchAll(/\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([\w-]+))\s*(?:\.|$)/g)];
  return keys.map(([, basic, literal, bare]) =>
    basic === undefined ? (literal ?? bare ?? '') : unescaped(basic),
  );
}

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}
