/** A token of SQL. White space and comments are not tokens. */
export interface Token {
  readonly kind: 'word' | 'quoted' | 'other';
  /** The text as it is written; a word is in lower case. */
  readonly text: string;
  readonly end: number;
}

const closing: { readonly [quote: string]: string } = { "'": "'", '"': '"', '`': '`', '[': ']' };
const word = /[\p{ID_Start}_$\u0080-\u{10ffff}][\p{ID_Continue}$\u0080-\u{10ffff}]*/uy;
// As in SQLite, a carriage return does not end a comment, and a comment may be unterminated.
const trivia = /(?:[ \t\n\f\r\uFEFF]+|--[^\n]*(?:\n|$)|\/\*[^]*?(?:\*\/|$))+/y;

/** Splits SQL into tokens as SQLite does. */
export function* tokenize(sql: string): Generator<Token> {
  let at = 0;
  while (at < sql.length) {
    trivia.lastIndex = at;
    if (trivia.test(sql)) at = trivia.lastIndex;
    if (at >= sql.length) return;
    const start = at;
    const close = closing[sql[at]!];
    if (close !== undefined) {
      at = endOfQuoted(sql, at + 1, close);
      yield { kind: 'quoted', text: sql.slice(start, at), end: at };
      continue;
    }
    word.lastIndex = at;
    if (word.test(sql)) {
      at = word.lastIndex;
      yield { kind: 'word', text: sql.slice(start, at).toLowerCase(), end: at };
      continue;
    }
    at++;
    yield { kind: 'other', text: sql[start]!, end: at };
  }
}

function endOfQuoted(sql: string, from: number, close: string): number {
  for (let at = from; ;) {
    const end = sql.indexOf(close, at);
    if (end === -1) return sql.length;
    // Two closing quotes in a row are an escaped quote. A name in brackets has no escapes.
    if (close === ']' || sql[end + 1] !== close) return end + 1;
    at = end + 2;
  }
}

/** Returns the LIMIT at the end of a statement if it is a plain number; otherwise undefined. */
export function ownLimit(sql: string): number | undefined {
  let digits: string | undefined;
  for (const { kind, text } of tokenize(sql)) {
    if (kind === 'word' && text === 'limit') digits = '';
    else if (digits !== undefined && /^\d$/.test(text)) digits += text;
    else if (text !== ';') digits = undefined;
  }
  return digits ? Number(digits) : undefined;
}

/** Returns a statement without the comments and semicolons after its last token. */
export function bareStatement(sql: string): string {
  let end = 0;
  for (const token of tokenize(sql)) if (token.text !== ';') end = token.end;
  return sql.slice(0, end);
}
