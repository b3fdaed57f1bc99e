// The expressions are functions, because the properties in them take 0.7 ms to load, which a start must not.

/**
 * Matches characters that can hide, reorder or forge text: controls, format characters, lone surrogates,
 * separators, unusual spaces, other invisible ones. Does not match the harmless variation selectors of emoji.
 */
const hiddenInName = () => /(?![\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\u2800\\]|(?! )\p{Zs}/gu;
/** Like `hiddenInName`, but for running text, in which spaces do no harm and some languages need joiners. */
export const hiddenInText = () =>
  /(?!\n|\t|\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\u2800]/gu;
const plainName = /^[ -[\]-~]*$/;
const plainText = /^[\n\t -~]*$/;

/** Escapes hidden characters and backslashes, as in `\u{202e}`, so that a name or path can be shown. */
export function escapeName(name: string): string {
  return plainName.test(name) ? name : name.replace(hiddenInName(), escaped);
}

/** Like `escapeName`, for text of several lines: line breaks, tabs, spaces and backslashes stay unchanged. */
export function escapeText(text: string): string {
  return plainText.test(text) ? text : text.replace(hiddenInText(), escaped);
}

/**
 * Puts a text on one line: replaces each run of white space by one space, cuts the text after `maxLength`
 * characters, and escapes hidden characters.
 */
export function oneLine(text: string, maxLength = Infinity): string {
  // Only the beginning of the text is processed, so that even a very long text takes little time.
  const line = text
    .slice(0, 2 * maxLength)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return escapeText(line.length > maxLength ? withoutHalf(line.slice(0, maxLength)) : line);
}

/** Untrusted text, quoted and escaped; above `maxLength`, `…` replaces its middle. */
export function quoted(text: string, maxLength = 300): string {
  const half = Math.floor(maxLength / 2);
  const shown =
    text.length > maxLength ? `${withoutHalf(text.slice(0, half))}…${withoutHalf(text.slice(-half))}` : text;
  return `"${escapeName(shown).replaceAll('"', '\\"')}"`;
}

/**
 * Removes a lone surrogate at either end of a text, because cutting the text may have split a surrogate pair.
 */
function withoutHalf(text: string): string {
  return text.replaceAll(/^\p{Cs}|\p{Cs}$/gu, '');
}

const short: { readonly [character: string]: string } = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\\': '\\\\',
};

function escaped(character: string): string {
  return short[character] ?? `\\u{${character.codePointAt(0)!.toString(16)}}`;
}
