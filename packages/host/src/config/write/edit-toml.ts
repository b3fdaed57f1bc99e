import { stringify } from 'smol-toml';

/** A text of TOML with a further table at its end. */
export function appendTable(text: string, path: readonly string[], value: object): string {
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const root = path.reduceRight<object>((inner, key) => ({ [key]: inner }), value);
  const table = stringify(root).trim().replaceAll('\n', lineBreak);
  const before = text.trimEnd();
  return before === '' ? `${table}${lineBreak}` : `${before}${lineBreak}${lineBreak}${table}${lineBreak}`;
}

/** A text of TOML without a table and the tables in it, if each has a header of its own. Comments stay. */
export function removeTable(text: string, path: readonly string[]): string {
  const lines = text.split('\n');
  const states = linesOutside(lines);
  const kept: string[] = [];
  let isRemoved = false;
  for (const [index, line] of lines.entries()) {
    const header = states[index] ? headerOf(line) : undefined;
    if (header) isRemoved = path.every((key, at) => header[at] === key);
    const isComment = states[index] === true && /^\s*(?:#.*)?$/s.test(line);
    if (!isRemoved || isComment) kept.push(line);
  }
  return kept
    .join('\n')
    .replaceAll(/(?:\r?\n){3,}/g, (breaks) => (breaks.includes('\r') ? '\r\n\r\n' : '\n\n'));
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
