const entities: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  ' ': '\\+',
};

/** The source of a regular expression for a text whose characters may be escaped for JSON, HTML or a URL. */
export function patternOf(text: string): string {
  return Array.from(text, characterPattern).join('');
}

function characterPattern(character: string): string {
  const plain = character.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  // Nothing escapes these.
  if (/^[\w.~-]$/.test(character)) return plain;
  const point = character.codePointAt(0)!;
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  const ways = [
    units.map((unit) => `\\\\u${unit.toString(16).padStart(4, '0')}`).join(''),
    // Also encoded twice.
    Array.from(new TextEncoder().encode(character), (byte) => `%(?:25)?${hex(byte)}`).join(''),
    `&#0*${point};`,
    `&#x0*${point.toString(16)};`,
    ...(entities[character] === undefined ? [] : [entities[character]]),
    character === '\\' ? '\\\\{1,2}' : `\\\\?${plain}`,
  ];
  return `(?:${ways.join('|')})`;
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
