import { escapeName, escapeText, textOf } from '../safe-text.ts';

/** Escapes untrusted text like `escapeText`, except for the carriage returns of Windows line breaks. */
export function shownText(text: string): string {
  return text
    .split('\n')
    .map((line) => (line.endsWith('\r') ? `${escapeText(line.slice(0, -1))}\r` : escapeText(line)))
    .join('\n');
}

/**
 * Escapes the text of a patch. The file names in its headers are escaped as file names are everywhere else.
 * `inHeader` tells whether the text starts in a file's header lines.
 */
export function shownPatch(text: string, { inHeader = false } = {}): string {
  let header = inHeader;
  const lines = shownText(text).split('\n');
  for (const [index, line] of text.split('\n').entries()) {
    // A line of content starts with a sign or a space, so it cannot look like a header line.
    if (/^(diff --|\* Unmerged path )/.test(line)) header = true;
    else if (line.startsWith('@@')) header = false;
    if (header) lines[index] = shownHeader(line);
  }
  return lines.join('\n');
}

const named = /^(diff --cc |--- |\+\+\+ |rename (?:from|to) |copy (?:from|to) |\* Unmerged path )(.*?)(\t?)$/;

/** Escapes a header line of a patch. */
export function shownHeader(line: string): string {
  const [, start = '', name = '', end = ''] = named.exec(line) ?? [];
  if (name !== '') return `${start}${shownName(name)}${end}`;
  const [, both] = /^diff --git (.*)$/.exec(line) ?? [];
  if (both !== undefined) return `diff --git ${shownPair(both, ' ')}`;
  const [, binary] = /^Binary files (.*) differ$/.exec(line) ?? [];
  return binary === undefined ? shownText(line) : `Binary files ${shownPair(binary, ' and ')} differ`;
}

/**
 * Escapes the names of the old and the new file. If a name has control characters, quotes or backslashes, git
 * has put it in quotes.
 */
function shownPair(pair: string, separator: string): string {
  const names = splitPair(pair, separator);
  return names ? names.map(shownName).join(separator) : escapeName(pair);
}

function splitPair(pair: string, separator: string): readonly [string, string] | undefined {
  const [quotedFirst] = /^"(?:[^"\\]|\\.)*"/.exec(pair) ?? [];
  if (quotedFirst !== undefined) return [quotedFirst, pair.slice(quotedFirst.length + separator.length)];
  const quotedSecond = pair.indexOf(`${separator}"`);
  if (quotedSecond !== -1) return [pair.slice(0, quotedSecond), pair.slice(quotedSecond + separator.length)];
  // If the names contain the separator, it is unclear where to split, unless both names are the same.
  const parts = pair.split(separator);
  const middle = parts.length / 2;
  const [first, second] = [parts.slice(0, middle).join(separator), parts.slice(middle).join(separator)];
  return parts.length === 2 || first.slice(2) === second.slice(2) ? [first, second] : undefined;
}

function shownName(name: string): string {
  const real = name.startsWith('"') ? unquoted(name) : name;
  return escapeName(real) === real && !real.startsWith('"')
    ? real
    : `"${escapeName(real).replaceAll('"', '\\"')}"`;
}

const controls: { readonly [letter: string]: number } = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** Decodes a name that git has quoted with escapes of C. */
function unquoted(name: string): string {
  const parts = name.slice(1, -1).match(/\\(?:[0-7]{3}|.)|[^\\]+/gs) ?? [];
  return textOf(
    Buffer.concat(
      parts.map((part) => {
        if (/^\\[0-7]{3}$/.test(part)) return Buffer.from([Number.parseInt(part.slice(1), 8)]);
        const control = part.startsWith('\\') ? controls[part[1]!] : undefined;
        if (control !== undefined) return Buffer.from([control]);
        // A quote or backslash loses its escape. All other parts stay as they are, also `\xff`, which
        // `textOf` writes for a byte that is not UTF-8.
        return Buffer.from(/^\\["\\]$/.test(part) ? part[1]! : part);
      }),
    ),
  );
}
