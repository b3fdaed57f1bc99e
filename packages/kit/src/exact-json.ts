/** "JSON.parse source text access" of ECMAScript: TypeScript does not declare it yet; Node 20 lacks it. */
interface ExactJson {
  readonly rawJSON?: (text: string) => unknown;
  readonly isRawJSON?: (value: unknown) => value is { readonly rawJSON: string };
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
}

const exactJson: ExactJson = JSON as typeof JSON & ExactJson;

/**
 * Like `JSON.parse`, but turns `1.0` or `-0.0` into an object that `JSON.stringify` writes as `1.0` or
 * `-0.0`.
 */
export function parseExactJson(text: string): unknown {
  return parseKeeping(text, /\.0(?!\d)/, (_, source) => source.endsWith('.0'));
}

/**
 * Parses JSON, and turns each number for which `isKept` returns true into an object that `JSON.stringify`
 * writes unchanged. In Node 20, numbers stay numbers. `occurs` must match every JSON text that contains such
 * a number.
 */
function parseKeeping(
  text: string,
  occurs: RegExp,
  isKept: (value: number, source: string) => boolean,
): unknown {
  // A reviver is slow, and most texts contain no number to keep.
  const { rawJSON } = exactJson;
  if (!rawJSON || !occurs.test(text)) return JSON.parse(text);
  return exactJson.parse(text, (_, value, { source = '' }) =>
    typeof value === 'number' && isKept(value, source) ? rawJSON(source) : value,
  );
}

/** Matches numbers that `String(number)` may write in another form. */
const unusualNumber = /[\d.]{16}|\d[eE]|\.\d*0(?!\d)|-0(?![.\d])/;

/** Like `JSON.parse`, but keeps the text of a number that JavaScript would write in another form. */
export function parseNumberTexts(text: string): unknown {
  return parseKeeping(text, unusualNumber, isUnusual);
}

function isUnusual(value: number, source: string): boolean {
  return String(value) !== source || (Number.isInteger(value) && !Number.isSafeInteger(value));
}

/** Returns the text of a number that `parseNumberTexts` has kept; undefined for any other value. */
export function numberText(value: unknown): string | undefined {
  return exactJson.isRawJSON?.(value) ? value.rawJSON : undefined;
}
