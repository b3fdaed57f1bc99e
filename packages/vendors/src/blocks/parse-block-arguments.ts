import { isObject, messageOf } from '@mcp/kit';
/** The arguments of a block and the repairs that made them readable; or why they cannot be read. */
export type ParsedArguments =
  | { readonly args: Readonly<Record<string, unknown>>; readonly repairs: readonly string[] }
  | { readonly problem: string };

interface Repair {
  readonly name: string;
  readonly apply: (text: string) => string;
}

const entityRepair: Repair = { name: 'decoded XML entities', apply: decodeEntities };

/** The repairs, in the order in which they are applied. */
const repairs: readonly Repair[] = [
  {
    name: 'removed the CDATA section',
    apply: (text) => text.replace(/^<!\[CDATA\[([\s\S]*)\]\]>$/, '$1').trim(),
  },
  {
    name: 'removed the code fence',
    apply: (text) => text.replace(/^```\w*\n([\s\S]*?)\n?```$/, '$1').trim(),
  },
  entityRepair,
  { name: 'escaped line breaks within strings', apply: (text) => mapStrings(text, escapeControls) },
  {
    name: 'removed a trailing comma',
    apply: (text) => mapOutside(text, (each) => each.replace(/,(\s*[}\]])/g, '$1')),
  },
];

/**
 * The sets of repairs in the order in which they are tried. Small sets come first. Sets that decode entities
 * come last: if a text becomes JSON without decoding, its entities may be meant literally.
 */
const repairSets = Array.from({ length: 2 ** repairs.length - 1 }, (_, index) =>
  repairs.filter((_each, bit) => ((index + 1) >> bit) & 1),
).toSorted(
  (a, b) => Number(a.includes(entityRepair)) - Number(b.includes(entityRepair)) || a.length - b.length,
);

/** Reads the arguments of a block. Absent or empty arguments are `{}`. */
export function parseBlockArguments(text: string | undefined): ParsedArguments {
  if (text === undefined || text === '') return { args: {}, repairs: [] };
  const first = tryParse(text);
  if (first.ok) return asObject(first.value, []);
  for (const set of repairSets) {
    const repaired = applied(set, text);
    const parsed = repaired === undefined ? undefined : tryParse(repaired);
    if (parsed?.ok)
      return asObject(
        parsed.value,
        set.map(({ name }) => name),
      );
  }
  return { problem: describe(text, first.message) };
}

/**
 * Applies a set of repairs to a text. Returns undefined if one of the repairs changes nothing, because the
 * smaller set without this repair, which is also tried, has the same result.
 */
function applied(set: readonly Repair[], text: string): string | undefined {
  let repaired = text;
  for (const { apply } of set) {
    const next = apply(repaired);
    if (next === repaired) return undefined;
    repaired = next;
  }
  return repaired;
}

function tryParse(text: string): { ok: true; value: unknown } | { ok: false; message: string } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, message: messageOf(error) };
  }
}

function asObject(value: unknown, made: readonly string[]): ParsedArguments {
  return isObject(value)
    ? { args: value, repairs: made }
    : { problem: 'The arguments must be a JSON object' };
}

/** The error message with the line that has the error, and a mark below the wrong character. */
function describe(text: string, message: string): string {
  const position = /position (\d+)/.exec(message)?.[1];
  const reason = `The arguments are not JSON: ${message}`;
  if (position === undefined) return reason;
  const at = Number(position);
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  const lineEnd = text.indexOf('\n', at);
  const from = Math.max(lineStart, at - 60);
  const shown = text.slice(from, Math.min(lineEnd === -1 ? text.length : lineEnd, at + 20));
  return `${reason}\n${shown}\n${' '.repeat(at - from)}^`;
}

function decodeEntities(text: string): string {
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return text.replace(
    /&(?:(lt|gt|quot|apos|amp)|#(\d{1,7})|#x([\da-f]{1,6}));/gi,
    (all, name, decimal, hex) => {
      if (name) return entities[String(name).toLowerCase()]!;
      const code = decimal ? Number(decimal) : Number.parseInt(String(hex), 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : String(all);
    },
  );
}

/**
 * Matches strings. A string without a closing quote extends to the end of the text: otherwise a match would
 * be tried again from each escaped quote in this string, which takes quadratic time.
 */
const strings = /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)/g;

function mapStrings(text: string, map: (text: string) => string): string {
  return text.replace(strings, map);
}

function mapOutside(text: string, map: (text: string) => string): string {
  let result = '';
  let at = 0;
  for (const found of text.matchAll(strings)) {
    result += map(text.slice(at, found.index)) + found[0];
    at = found.index + found[0].length;
  }
  return result + map(text.slice(at));
}

function escapeControls(text: string): string {
  return Array.from(text, (each) => (each < ' ' ? JSON.stringify(each).slice(1, -1) : each)).join('');
}
