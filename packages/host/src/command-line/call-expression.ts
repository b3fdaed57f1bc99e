import { usageError } from '../errors.ts';

/** A call in one word: `server.tool(a: 1, b: "x")`. */
export interface CallExpression {
  readonly target: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const maxDepth = 100;

/** What may stand where a value begins; numbers and words must end before a letter or digit. */
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.])/y;
const word = () => /[\p{ID_Start}_$][\p{ID_Continue}$]*/uy;
const constants: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);
const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['b', '\b'],
  ['f', '\f'],
]);

/**
 * Parses a call in one word; undefined if the word has no parenthesis. The values are those of JSON, with
 * keys and texts as in JavaScript: `{key: 'text'}`, and a comma may follow the last value. Throws a
 * `HostError` with the place of what is wrong.
 */
export function parseCallExpression(text: string): CallExpression | undefined {
  const open = text.indexOf('(');
  if (open === -1) return undefined;
  const parser = new Parser(text, open + 1);
  const args = parser.members(')', 0);
  parser.end();
  return { target: text.slice(0, open).trim(), args };
}

class Parser {
  readonly #text: string;
  #at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  /** The members `name: value` before `close`. */
  members(close: string, depth: number): Readonly<Record<string, unknown>> {
    const members = new Map<string, unknown>();
    this.#list(close, 'a name', () => {
      const start = this.#at;
      const name = this.#isQuote() ? this.#string() : this.#match(word());
      if (name === undefined) this.#fail('a name');
      if (members.has(name)) this.#fail(`another name than "${name}", which is given already`, start);
      if (!this.#take(':')) this.#fail(`":" and the value of "${name}"`);
      members.set(name, this.#value(depth));
    });
    return Object.fromEntries(members);
  }

  end(): void {
    this.#skipSpace();
    if (this.#at < this.#text.length) this.#fail('the end');
  }

  #value(depth: number): unknown {
    this.#skipSpace();
    if (depth > maxDepth) this.#fail(`at most ${maxDepth} levels`);
    if (this.#isQuote()) return this.#string();
    if (this.#take('{')) return this.members('}', depth + 1);
    if (this.#take('[')) {
      const items: unknown[] = [];
      this.#list(']', 'a value', () => items.push(this.#value(depth + 1)));
      return items;
    }
    const start = this.#at;
    const digits = this.#match(number);
    if (digits !== undefined) return this.#number(digits, start);
    const name = this.#match(word()) ?? '';
    if (!constants.has(name))
      this.#fail('a value: a text in quotes, a number, true, false, null, [ or {', start);
    return constants.get(name);
  }

  #number(digits: string, start: number): number {
    const value = Number(digits);
    const isExact = Number.isFinite(value) && (/[.eE]/.test(digits) || Number.isSafeInteger(value));
    if (!isExact) this.#fail(`a number of at most ${Number.MAX_SAFE_INTEGER}`, start);
    return value;
  }

  /** Reads items with commas between them, up to `close`. */
  #list(close: string, what: string, item: () => void): void {
    while (!this.#take(close)) {
      if (this.#at >= this.#text.length) this.#fail(`${what} or "${close}"`);
      item();
      if (this.#take(',')) continue;
      if (!this.#take(close)) this.#fail(`"," or "${close}"`);
      return;
    }
  }

  #string(): string {
    const quote = this.#text[this.#at++]!;
    let value = '';
    for (;;) {
      const start = this.#at;
      const character = this.#text[this.#at++];
      if (character === undefined) this.#fail(`the closing ${quote}`, start);
      if (character === quote) return value;
      value += character === '\\' ? this.#escape(start) : character;
    }
  }

  #escape(start: number): string {
    const character = this.#text[this.#at++] ?? '';
    if (character === 'u') {
      const code = this.#match(/[\dA-Fa-f]{4}/y);
      if (code === undefined) this.#fail('four hexadecimal digits after \\u', start);
      return String.fromCharCode(Number.parseInt(code, 16));
    }
    const value = escapes.get(character) ?? (/["'\\/]/.test(character) ? character : undefined);
    if (value === undefined) this.#fail('an escape of JSON', start);
    return value;
  }

  #isQuote(): boolean {
    return this.#text[this.#at] === '"' || this.#text[this.#at] === "'";
  }

  /** Skips white space and takes `symbol`, if it is next. */
  #take(symbol: string): boolean {
    this.#skipSpace();
    const found = this.#text[this.#at] === symbol;
    if (found) {
      this.#at++;
      this.#skipSpace();
    }
    return found;
  }

  #skipSpace(): void {
    this.#match(/\s*/y);
  }

  #match(sticky: RegExp): string | undefined {
    sticky.lastIndex = this.#at;
    const [found] = sticky.exec(this.#text) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }

  #fail(expected: string, at = this.#at): never {
    const rest = this.#text.slice(at, at + 20);
    const found = rest === '' ? 'the end' : `"${rest}${at + 20 < this.#text.length ? '…' : ''}"`;
    throw usageError(`Invalid call: expected ${expected} at character ${at + 1}; found ${found}`);
  }
}
