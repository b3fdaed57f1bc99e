/** ECMAScript's JSON.parse source text access (Node 21 and newer), which the compiler's library does not declare. */
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
 * Like `JSON.parse`, but a number such as `1.0` or `-0.0` becomes an object that `JSON.stringify` writes as it was:
 * JavaScript's numbers have no decimal point to keep.
 */
export function parseExactJson(text: string): unknown {
  // The reviver is slow, and most results need none.
  if (!/\.0(?!\d)/.test(text)) return JSON.parse(text);
  return exactJson.parse(text, (_, value, { source }) =>
    typeof value === 'number' && source?.endsWith('.0') ? exactJson.rawJSON(source) : value,
  );
}

/** Like `JSON.parse`, but an integer beyond 2^53 becomes such an object too; see `longIntegerIn`. */
export function parseLongIntegers(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return exactJson.parse(text, (_, value, { source = '' }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
      ? exactJson.rawJSON(source)
      : value,
  );
}

/** The digits of an integer that `parseLongIntegers` kept; undefined for any other value. */
export function longIntegerIn(value: unknown): string | undefined {
  return exactJson.isRawJSON(value) ? value.rawJSON : undefined;
}
