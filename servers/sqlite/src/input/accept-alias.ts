import type { Schema } from '@mcp/protocol';

/** Returns a schema that also accepts the argument `name` under the name `alias`, which is not published. */
export function acceptAlias<Input, Output>(
  schema: Schema<Input, Output>,
  alias: string,
  name: string,
): Schema<Input, Output> {
  const { version, vendor, jsonSchema } = schema['~standard'];
  const validate = (value: unknown) => schema['~standard'].validate(renamed(value, alias, name));
  return { '~standard': { version, vendor, jsonSchema, validate } };
}

function renamed(value: unknown, alias: string, name: string): unknown {
  if (typeof value !== 'object' || value === null || name in value || !(alias in value)) return value;
  const { [alias]: aliased, ...others } = value as { readonly [key: string]: unknown };
  return { ...others, [name]: aliased };
}
