import { applicators } from './applicators.ts';
import { arrays } from './arrays.ts';
import { type Check, type Context, isSchemaObject, type JsonObject, tooCostly } from './check.ts';
import { objects } from './objects.ts';
import { PatternMatcher } from './pattern.ts';
import { References } from './references.ts';
import { scalars } from './scalars.ts';
import { unevaluated } from './unevaluated.ts';

/**
 * The maximum number of steps for one value; nested references can multiply them without bound, and so can long lists
 * of keywords that are checked for each item of a long list.
 */
const maxSteps = 2_000_000;
const maxDepth = 500;

/**
 * Checks values against one JSON Schema 2020-12, without code generation and without network access: schemas
 * come from untrusted servers. References to other documents, and patterns that would take long, accept every
 * value; `format` is an annotation. The older forms of `items`, `dependencies` and `definitions` are
 * understood.
 * @see https://json-schema.org/draft/2020-12
 */
export class JsonValidator {
  readonly #schema: unknown;
  readonly #references: References;

  constructor(schema: unknown) {
    this.#schema = schema;
    this.#references = new References(schema);
  }

  /** The problem with a value and its location; undefined for a valid value. */
  check(value: unknown): string | undefined {
    let steps = 0;
    let depth = 0;
    const patterns = new PatternMatcher();
    const spend = (count: number) => {
      steps += count;
      if (steps > maxSteps) throw tooCostly;
    };
    const context: Context = {
      spend,
      matches: (pattern, text) => patterns.matches(pattern, text),
      resolve: (reference) => this.#references.resolve(reference),
      check(schema, inner, path) {
        spend(1);
        if (depth > maxDepth) throw tooCostly;
        depth++;
        try {
          return checkOne(schema, inner, path, context);
        } finally {
          depth--;
        }
      },
    };
    try {
      return context.check(this.#schema, value, '');
    } catch (error) {
      if (error === tooCostly) return 'the schema takes too long to check';
      throw error;
    }
  }
}

const checks: readonly Check[] = [scalars, arrays, objects, applicators, unevaluated];

function checkOne(schema: unknown, value: unknown, path: string, context: Context): string | undefined {
  if (schema === false) return `${path === '' ? 'the value' : path} must not be there`;
  if (!isSchemaObject(schema)) return undefined;
  for (const check of checks) {
    const wrong = check(schema as JsonObject, value, path, context);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
