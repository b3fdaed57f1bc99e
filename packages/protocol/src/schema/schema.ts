import { messageOf } from '@mcp/kit';
import type { JsonObject } from '../jsonrpc/message.ts';
/**
 * A schema that validates values and describes them as JSON Schema. It comes from a library that implements
 * Standard JSON Schema (zod 4.2 and later), or is made by {@link jsonSchema}.
 * @see https://standardschema.dev
 */
export interface Schema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    validate(value: unknown): Checked<Output> | Promise<Checked<Output>>;
    readonly jsonSchema: {
      input(options: { target: 'draft-2020-12' }): JsonObject;
      output(options: { target: 'draft-2020-12' }): JsonObject;
    };
  };
}

/** A validated value, or the issues that make the value invalid. */
export type Checked<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

export interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The type of a validated value. */
export type Out<S> = S extends { readonly '~standard': { readonly types?: infer T } }
  ? NonNullable<T> extends { readonly output: infer O }
    ? O
    : never
  : never;

/** The type of a value before validation: defaults are not yet applied. */
export type In<S> = S extends { readonly '~standard': { readonly types?: infer T } }
  ? NonNullable<T> extends { readonly input: infer I }
    ? I
    : never
  : never;

/**
 * Makes a schema from a JSON Schema document and from a function that returns the validated value or throws
 * an `Error`. The document is of 2020-12, or names 2019-09, draft-07 or draft-06 in `$schema`.
 * @example
 * ```ts
 * import { defineTool, jsonSchema } from '@mcp/protocol';
 *
 * const point = jsonSchema<{ x: number }>(
 *   { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] },
 *   (value) => {
 *     const { x } = value as { x?: unknown };
 *     if (typeof x !== 'number') throw new Error('x must be a number');
 *     return { x };
 *   },
 * );
 * export const double = defineTool({
 *   name: 'double',
 *   description: 'Doubles.',
 *   inputSchema: point,
 *   run: ({ x }) => String(2 * x),
 * });
 * ```
 */
export function jsonSchema<T>(json: JsonObject, check: (value: unknown) => T): Schema<T> {
  if (typeof check !== 'function') {
    throw new Error('`jsonSchema(json, check)` needs a function that returns the checked value or throws');
  }
  return {
    '~standard': {
      version: 1,
      vendor: '@mcp/protocol',
      validate(value) {
        try {
          return { value: check(value) };
        } catch (error) {
          return { issues: [{ message: messageOf(error) }] };
        }
      },
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}

/** Throws an `Error`, with advice, for a value that is not a schema, which plain JavaScript may pass. */
export function refuseNoSchema(value: unknown, of: string): void {
  const standard = (value as Partial<Schema> | undefined)?.['~standard'];
  const validates = typeof standard?.validate === 'function';
  if (validates && typeof standard.jsonSchema?.input === 'function') return;
  const [name, advice] = validates ? (adviceFor[standard.vendor ?? ''] ?? otherwise) : otherwise;
  throw new Error(
    `The ${of} must be a schema that validates and describes itself as JSON Schema: ${name}${advice}`,
  );
}

const otherwise = ['', 'for example one of zod 4.2 or later, or `jsonSchema(json, check)`'] as const;

/** Advice for schemas that cannot describe themselves as JSON Schema, by the vendor that the schema names. */
const adviceFor: { readonly [vendor: string]: readonly [name: string, advice: string] } = {
  zod: [
    'a schema of zod/mini, or of zod before 4.2, does not describe itself; ',
    'import it from "zod" 4.2 or later, or pass `jsonSchema(z.toJSONSchema(schema), (value) => schema.parse(value))`',
  ],
  valibot: [
    'a schema of valibot does not describe itself; ',
    'pass `jsonSchema(toJsonSchema(schema), (value) => parse(schema, value))`',
  ],
  effect: [
    'a schema of Effect does not describe itself; ',
    'pass `jsonSchema(JSONSchema.make(schema), Schema.decodeUnknownSync(schema))`',
  ],
};

/** One text for all issues, separated by semicolons: the location and the message of each. */
export function issuesText(issues: readonly Issue[]): string {
  return issues
    .map(({ message, path }) => {
      const where = (path ?? []).map((step) => String(typeof step === 'object' ? step.key : step)).join('.');
      return where ? `${where}: ${message}` : message;
    })
    .join('; ');
}
