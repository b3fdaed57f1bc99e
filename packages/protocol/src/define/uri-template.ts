import { invalidParams, RpcError } from '../jsonrpc/error.ts';

/**
 * The variables of an RFC 6570 template. A variable is a string, or a list of strings if it is exploded
 * (`{/path*}`); the variables of `{?q}` and `{&q}` are optional.
 */
export type UriVariables<Template extends string> = string extends Template
  ? { readonly [name: string]: string }
  : Flat<ExpressionVariables<Expressions<Template>>>;

type Expressions<T extends string> = T extends `${string}{${infer E}}${infer Rest}`
  ? E | Expressions<Rest>
  : never;

type ExpressionVariables<E extends string> = Merge<
  E extends `${'?' | '&'}${infer List}`
    ? { readonly [V in Variable<List> as Name<V>]?: Value<V> }
    : E extends `${'+' | '#' | '.' | '/' | ';'}${infer List}`
      ? { readonly [V in Variable<List> as Name<V>]: Value<V> }
      : { readonly [V in Variable<E> as Name<V>]: Value<V> }
>;

type Variable<List extends string> = List extends `${infer First},${infer Rest}`
  ? First | Variable<Rest>
  : List;
type Name<V extends string> = V extends `${infer N}*` ? N : V extends `${infer N}:${string}` ? N : V;
type Value<V extends string> = V extends `${string}*` ? readonly string[] : string;
type Merge<U> = (U extends unknown ? (u: U) => void : never) extends (merged: infer I) => void ? I : unknown;
type Flat<T> = { [K in keyof T]: T[K] };

export type UriValues = { readonly [name: string]: string | readonly string[] | undefined };

interface Operator {
  readonly first: string;
  readonly separator: string;
  /** Whether the names of variables are part of the URI, as in `?name=value`. */
  readonly named: boolean;
  /** Characters that a value in a URI can contain only when encoded. */
  readonly without: string;
  /** The minimum number of characters of a value. */
  readonly least: 0 | 1;
  /** Whether reserved characters, such as `/`, stay as they are in values instead of being encoded. */
  readonly reserved: boolean;
}

// RFC 6570, appendix A. A value of `{+name}` ends before `?` and `#`, which it can only contain encoded.
const operators: { readonly [sign: string]: Operator } = {
  '': { first: '', separator: ',', named: false, without: '/?#,', least: 1, reserved: false },
  '+': { first: '', separator: ',', named: false, without: '?#', least: 0, reserved: true },
  '#': { first: '#', separator: ',', named: false, without: '', least: 0, reserved: true },
  '.': { first: '.', separator: '.', named: false, without: '/?#.', least: 1, reserved: false },
  '/': { first: '/', separator: '/', named: false, without: '/?#', least: 1, reserved: false },
  ';': { first: ';', separator: ';', named: true, without: '/?#', least: 0, reserved: false },
  '?': { first: '?', separator: '&', named: true, without: '#', least: 0, reserved: false },
  '&': { first: '&', separator: '&', named: true, without: '#', least: 0, reserved: false },
};

interface VariableSpec {
  readonly name: string;
  readonly explode: boolean;
  readonly prefix?: number;
}

type Part = string | { readonly operator: Operator; readonly variables: readonly VariableSpec[] };

/** A parsed RFC 6570 template: makes URIs from values, and finds the values in a URI. */
export class UriTemplate {
  readonly #parts: readonly Part[];
  readonly #pattern: readonly Piece[];
  readonly variables: readonly string[];

  readonly template: string;

  constructor(template: string) {
    this.template = template;
    this.#parts = parse(template);
    this.variables = this.#parts.flatMap((part) =>
      typeof part === 'string' ? [] : part.variables.map(({ name }) => name),
    );
    this.#pattern = this.#parts.flatMap(piecesOf);
  }

  /** The values in `uri`, percent-decoded once; undefined if the template does not match `uri`. */
  match(uri: string): UriValues | undefined {
    const matched = matchPieces(this.#pattern, uri);
    if (!matched) return undefined;
    const values: { [name: string]: string | readonly string[] } = Object.create(null);
    let index = 0;
    let query = '';
    for (const part of this.#parts) {
      if (typeof part === 'string') {
        index++;
        continue;
      }
      const { operator, variables } = part;
      if (operator.named) {
        const pairs = matched[index++] ?? '';
        // A continuation (`{&x}`) may take its value from any pair of the query, even an earlier one.
        if (operator.separator === '&') query += `&${pairs}`;
        readPairs(operator.separator === '&' ? query : pairs, operator, variables, values, uri);
        continue;
      }
      for (const { name, explode } of variables) {
        const raw = matched[index++];
        values[name] = explode ? listIn(raw, operator).map((item) => decode(item, uri)) : decode(raw!, uri);
      }
    }
    return values;
  }

  expand(values: UriValues): string {
    return this.#parts.map((part) => (typeof part === 'string' ? part : expandPart(part, values))).join('');
  }
}

function parse(template: string): Part[] {
  const parts: Part[] = [];
  for (const piece of template.split(/(\{[^{}]*\})/)) {
    if (piece === '') continue;
    const expression = /^\{([+#./;?&]?)([^{}]*)\}$/.exec(piece);
    if (!expression) {
      if (/[{}]/.test(piece)) throw new Error(`Unbalanced braces in the URI template "${template}"`);
      parts.push(piece);
      continue;
    }
    const [, sign, list] = expression;
    const variables = list!.split(',').map((spec) => {
      const [, name, star, prefix] = /^([\w%][\w.%]*)(?:(\*)|:(\d{1,4}))?$/.exec(spec) ?? [];
      if (name === undefined) throw new Error(`Not a variable in the URI template "${template}": "${spec}"`);
      return { name, explode: star !== undefined, ...(prefix !== undefined && { prefix: Number(prefix) }) };
    });
    parts.push({ operator: operators[sign!]!, variables });
  }
  return parts;
}

/** A piece of a URI: `text`, followed by a value that has no characters of `without`. */
interface Piece {
  readonly text: string;
  readonly without?: string;
  readonly least: 0 | 1;
  readonly optional: boolean;
}

function piecesOf(part: Part): Piece[] {
  if (typeof part === 'string') return [{ text: part, least: 0, optional: false }];
  const { operator, variables } = part;
  const { first, separator, without, least } = operator;
  if (operator.named) return [{ text: first, without, least, optional: true }];
  return variables.map(({ explode }, index) => {
    const text = index === 0 ? first : separator;
    if (!explode) return { text, without, least, optional: false };
    // The list of an exploded variable may be empty, and adds no text then: its piece is optional.
    return { text, without: without.replace(separator, ''), least: 0, optional: true };
  });
}

/**
 * Returns the value of each piece; undefined if `uri` does not match. If several divisions of `uri` match,
 * earlier pieces get the longer values. Reads each character once per piece: a URI is untrusted, and a
 * regular expression could backtrack exponentially.
 */
function matchPieces(pieces: readonly Piece[], uri: string): (string | undefined)[] | undefined {
  const [first] = pieces;
  if (first && !first.optional && !uri.startsWith(first.text)) return undefined;

  // For each piece, from the last to the second, finds where it can begin so that the later pieces match.
  let next = new Uint8Array(uri.length + 1);
  next[uri.length] = 1;
  const ends = [next];
  for (let index = pieces.length - 1; index > 0; index--) {
    next = beginnings(pieces[index]!, uri, next);
    ends.unshift(next);
  }

  const values: (string | undefined)[] = [];
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    const start = at + piece.text.length;
    const end = uri.startsWith(piece.text, at) ? lastEnd(piece, uri, start, ends[index]!) : -1;
    if (end === -1 && !(piece.optional && ends[index]![at])) return undefined;
    values.push(end === -1 ? undefined : uri.slice(start, end));
    if (end !== -1) at = end;
  }
  return at === uri.length ? values : undefined;
}

/** For each position of `uri`, 1 if `piece` can begin there and end at one of `ends`. */
function beginnings(piece: Piece, uri: string, ends: Uint8Array): Uint8Array<ArrayBuffer> {
  const { text, without, least, optional } = piece;
  const begins = new Uint8Array(uri.length + 1);
  const reaches = without === undefined ? ends : valueStarts(without, uri, ends);
  for (let at = 0; at <= uri.length; at++) {
    const start = at + text.length;
    const reached = least === 0 ? reaches[start] : !without!.includes(uri[start]!) && reaches[start + 1];
    begins[at] = (reached && uri.startsWith(text, at)) || (optional && ends[at]) ? 1 : 0;
  }
  return begins;
}

/** For each position of `uri`, 1 if a value, or the rest of one, can begin there and end at one of `ends`. */
function valueStarts(without: string, uri: string, ends: Uint8Array): Uint8Array {
  const starts = ends.slice();
  for (let at = uri.length - 1; at >= 0; at--)
    if (starts[at + 1] && !without.includes(uri[at]!)) starts[at] = 1;
  return starts;
}

function lastEnd({ without, least }: Piece, uri: string, start: number, ends: Uint8Array): number {
  if (without === undefined) return ends[start] ? start : -1;
  let last = -1;
  for (let at = start; ; at++) {
    if (ends[at] && at >= start + least) last = at;
    if (at === uri.length || without.includes(uri[at]!)) return last;
  }
}

function listIn(raw: string | undefined, { first, separator }: Operator): string[] {
  if (raw === undefined || (raw === '' && first === '')) return [];
  return raw.split(separator);
}

function readPairs(
  raw: string,
  operator: Operator,
  variables: readonly VariableSpec[],
  values: { [name: string]: string | readonly string[] },
  uri: string,
): void {
  const pairs = raw.split(operator.separator);
  for (const { name, explode } of variables) {
    const found = pairs
      .filter((pair) => pair === name || pair.startsWith(`${name}=`))
      .map((pair) => decode(pair.slice(name.length + 1), uri));
    if (explode) values[name] = found;
    else if (found[0] !== undefined) values[name] = found[0];
  }
}

function decode(raw: string, uri: string): string {
  if (!raw.includes('%')) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    throw new RpcError(invalidParams, `Malformed percent-encoding in "${uri}"`, { uri });
  }
}

function expandPart(part: Exclude<Part, string>, values: UriValues): string {
  const { operator, variables } = part;
  const encode = operator.reserved ? encodeReserved : encodeUnreserved;
  const pieces = variables.flatMap(({ name, explode, prefix }) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || (typeof value !== 'string' && value.length === 0)) return [];
    const items = typeof value === 'string' ? [value] : value;
    const encoded = items.map((item) => encode(Array.from(item).slice(0, prefix).join('').toWellFormed()));
    if (!operator.named) return explode ? encoded : [encoded.join(',')];
    const pair = (item: string) => (item === '' && operator.first === ';' ? name : `${name}=${item}`);
    return explode ? encoded.map(pair) : [pair(encoded.join(','))];
  });
  return pieces.length === 0 ? '' : operator.first + pieces.join(operator.separator);
}

function encodeUnreserved(value: string): string {
  return encodeURIComponent(value).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function encodeReserved(value: string): string {
  return encodeURI(value)
    .replace(/%5B/g, '[')
    .replace(/%5D/g, ']')
    .replace(/%25([0-9A-Fa-f]{2})/g, '%$1');
}
