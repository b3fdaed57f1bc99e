import { isObject } from '@mcp/kit';
import type { JsonObject } from '../jsonrpc/message.ts';
import { JsonValidator } from './json-validator/json-validator.ts';
import { type Issue, jsonSchema, type Schema } from './schema.ts';

/**
 * Makes a schema from a JSON Schema document alone: values are checked against the document, and returned as
 * they are. The document is of 2020-12, or names 2019-09, draft-07 or draft-06 in `$schema`. It may be
 * untrusted: no code is generated from it, no other document is fetched, and a check takes a bounded number
 * of steps. References to other documents, and patterns that would take long, accept every value; `format` is
 * not checked. Throws an `Error` for another dialect.
 * @example
 * ```ts
 * import { defineTool } from '@mcp/protocol';
 * import { checkedJsonSchema } from '@mcp/protocol/json-schema';
 *
 * export const double = defineTool({
 *   name: 'double',
 *   description: 'Doubles.',
 *   inputSchema: checkedJsonSchema<{ x: number }>({
 *     type: 'object',
 *     properties: { x: { type: 'number', minimum: 1 } },
 *     required: ['x'],
 *   }),
 *   run: ({ x }) => String(2 * x),
 * });
 * ```
 */
export function checkedJsonSchema<T = JsonObject>(json: JsonObject): Schema<T> {
  const validator = new JsonValidator(json);
  if (validator.unsupported !== undefined) throw new Error(`The schema has an ${validator.unsupported}`);
  const described = jsonSchema(json, (value) => value as T);
  return {
    '~standard': {
      ...described['~standard'],
      validate(value) {
        const problem = validator.check(value);
        return problem === undefined ? { value: value as T } : { issues: [issueOf(problem, value, json)] };
      },
    },
  };
}

/** The validator begins its text with the place: `/x must be …`; at the root, `the value must have "x"`. */
function issueOf(problem: string, value: unknown, { required }: JsonObject): Issue {
  if (!isObject(value)) return { message: problem };
  if (problem.startsWith('the value must have "') && Array.isArray(required)) {
    const missing: unknown = required.find((name) => typeof name === 'string' && !Object.hasOwn(value, name));
    if (typeof missing === 'string') return { message: 'is missing', path: [missing] };
  }
  const name = Object.keys(value).find((each) => problem.startsWith(`/${each} `));
  return name === undefined
    ? { message: problem }
    : { message: problem.slice(name.length + 2), path: [name] };
}
