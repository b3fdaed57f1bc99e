/**
 * ECMAScript's JSON.parse source text access (Node 21 and newer), which the compiler's
 * library does not declare.
 */
interface ExactJson {
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
}

const exactJson: ExactJson = JSON as typeof JSON & ExactJson;

/**
 * Like `JSON.parse`, but a number such as `1.0` or `-0.0` becomes an object that `JSON.stringify` writes as
 * it was: JavaScript's numbers have no decimal point to keep.
 */
export function parseExactJson(text: string): unknown {
  // The reviver is slow, and most results need none.
  if (!/\.0(?!\d)/.test(text)) return JSON.parse(text);
  return exactJson.parse(text, (_, value, { source }) =>
    typeof value === 'number' && source?.endsWith('.0') ? exactJson.rawJSON(source) : value,
  );
}

/** Numbers that `String` may write otherwise. */
const unusualNumber = /[\d.]{16}|\d[eE]|\.\d*0(?!\d)|-0(?![.\d])/;

/**
 * Like `JSON.parse`, but a number that JavaScript writes otherwise, such as `1.0` or a rounded one,
 * keeps its text; see `numberText`.
 */
export function parseNumberTexts(text: string): unknown {
  // The reviver is slow, and most objects need none.
  if (!unusualNumber.test(text)) return JSON.parse(text);
  return exactJson.parse(text, (_, value, { source = '' }) =>
    typeof value === 'number' && isUnusual(value, source) ? exactJson.rawJSON(source) : value,
  );
}

function isUnusual(value: number, source: string): boolean {
  return String(value) !== source || (Number.isInteger(value) && !Number.isSafeInteger(value));
}

/** The text of a number that `parseNumberTexts` kept; undefined for any other value. */
export function numberText(value: unknown): string | undefined {
  return exactJson.isRawJSON(value) ? value.rawJSON : undefined;
}
