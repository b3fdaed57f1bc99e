import { isObject } from '@mcp/kit';
import { applicatorKeywords, applicators } from './applicators.ts';
import { arrayKeywords, arrays } from './arrays.ts';
import { Budget, tooCostly } from './budget.ts';
import { type Check, type Context, placeName } from './check.ts';
import { defaultDialect } from '../dialects.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import { Evaluated } from './evaluated.ts';
import { keywordsOf } from './keywords.ts';
import { objectKeywords, objects } from './objects.ts';
import { PatternMatcher } from './pattern.ts';
import { References, type SchemaResource, unknownSchema } from './references.ts';
import { scalarKeywords, scalars } from './scalars.ts';
import { unevaluated, unevaluatedKeywords } from './unevaluated.ts';

const maxDepth = 1_000;

/** The checks with their keywords. `unevaluated…` is last: it needs the parts that the others evaluate. */
const allChecks: readonly (readonly [Check, keywords: readonly string[]])[] = [
  [scalars, scalarKeywords],
  [arrays, arrayKeywords],
  [objects, objectKeywords],
  [applicators, applicatorKeywords],
  [unevaluated, unevaluatedKeywords],
];

/** A schema as it is checked: its keywords in the form of 2020-12, and the checks that they need. */
interface Rule {
  readonly resource: SchemaResource;
  readonly keywords: JsonObject;
  readonly checks: readonly Check[];
}

/**
 * Checks values against one JSON Schema of 2020-12, 2019-09, draft-07 or draft-06. Schemas come from
 * untrusted servers, so the validator generates no code, makes no network requests, and takes a bounded
 * number of steps. References to other documents, and patterns that would take long, accept every value;
 * `format` is an annotation.
 * @see https://json-schema.org/specification
 */
export class JsonValidator {
  readonly #schema: unknown;
  readonly #references: References | undefined;
  readonly #rules = new Map<object, Rule>();

  constructor(schema: unknown) {
    this.#schema = schema;
    this.#references = bounded(() => new References(schema, new Budget()));
  }

  /** The error text for the first unsupported dialect in the schema; undefined if there is none. */
  get unsupported(): string | undefined {
    return this.#references?.unsupported;
  }

  /** The problem with a value and its location; undefined if the value is valid. */
  check(value: unknown): string | undefined {
    const references = this.#references;
    if (references?.unsupported !== undefined) return references.unsupported;
    const result = references && bounded(() => ({ wrong: this.#check(value, references) }));
    // Tested again: a reference may have led into an unknown keyword, to a schema of an unsupported dialect.
    if (references?.unsupported !== undefined) return references.unsupported;
    return result ? result.wrong : 'the schema takes too long to check';
  }

  #check(value: unknown, references: References): string | undefined {
    const budget = new Budget(value);
    const patterns = new PatternMatcher();
    const scope: SchemaResource[] = [];
    const ruleOf = (schema: JsonObject) =>
      this.#rules.get(schema) ?? this.#makeRule(schema, references, budget);
    let depth = 0;
    let unknown = 0;
    const context: Context = {
      budget,
      get dialect() {
        return scope.at(-1)?.dialect ?? defaultDialect;
      },
      matches(pattern, text) {
        budget.spend(4);
        const result = patterns.matches(pattern, text);
        if (result === undefined) unknown++;
        return result;
      },
      resolve(keyword, reference) {
        const schema = references.resolve(keyword, reference, scope, budget);
        if (schema === unknownSchema) unknown++;
        return schema;
      },
      fits(schema, inner, path, into) {
        const before = unknown;
        if (context.check(schema, inner, path, into) !== undefined) return false;
        return unknown === before ? true : undefined;
      },
      check(schema, inner, path, into) {
        budget.spend(1);
        if (schema === false) return `${placeName(path)} must not be there`;
        if (!isObject(schema)) return undefined;
        if (depth > maxDepth) throw tooCostly;
        const { resource, keywords, checks } = ruleOf(schema);
        const evaluated = into || checks.includes(unevaluated) ? new Evaluated(budget) : undefined;
        const isEntered = resource !== scope.at(-1);
        if (isEntered) scope.push(resource);
        depth++;
        try {
          for (const check of checks) {
            const wrong = check(keywords, inner, path, context, evaluated);
            if (wrong !== undefined) return wrong;
          }
        } finally {
          if (isEntered) scope.pop();
          depth--;
        }
        if (into && evaluated) into.merge(evaluated);
        return undefined;
      },
    };
    return context.check(this.#schema, value, '');
  }

  #makeRule(schema: JsonObject, references: References, budget: Budget): Rule {
    const resource = references.enter(schema);
    const keywords = keywordsOf(schema, resource.dialect, budget);
    const isThere = (keyword: string) => keywords[keyword] !== undefined;
    const checks = allChecks.filter(([, names]) => names.some(isThere)).map(([check]) => check);
    const rule = { resource, keywords, checks };
    this.#rules.set(schema, rule);
    return rule;
  }
}

/** Returns the result of `work`; undefined if it takes too many steps. */
function bounded<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    // A RangeError means that the value has so many levels that checking it exhausts the stack.
    if (error === tooCostly || error instanceof RangeError) return undefined;
    throw error;
  }
}
