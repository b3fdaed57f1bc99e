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
const maxDepth = 1_000;

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
    const references = this.#references;
    const scope: ReturnType<References['resourceOf']>[] = [];
    const spend = (count: number) => {
      steps += count;
      if (steps > maxSteps) throw tooCostly;
    };
    const context: Context = {
      spend,
      matches: (pattern, text) => patterns.matches(pattern, text),
      resolve: (keyword, reference, from) =>
        keyword === '$ref'
          ? references.resolve(reference, from)
          : references.resolveDynamic(reference, from, scope),
      check(schema, inner, path) {
        spend(1);
        if (depth > maxDepth) throw tooCostly;
        depth++;
        const resource = isSchemaObject(schema) ? references.resourceOf(schema) : scope.at(-1);
        const isEntered = resource !== undefined && resource !== scope.at(-1);
        if (isEntered) scope.push(resource);
        try {
          return checkOne(schema, inner, path, context);
        } finally {
          if (isEntered) scope.pop();
          depth--;
        }
      },
    };
    try {
      return context.check(this.#schema, value, '');
    } catch (error) {
      // A value of very many levels exhausts the stack.
      if (error === tooCostly || error instanceof RangeError) return 'the schema takes too long to check';
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
