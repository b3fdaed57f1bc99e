import type { Client } from '@mcp/protocol/testing';

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly additionalProperties?: unknown;
}

/** A call that is valid but for one key. */
export interface UnknownKeyCall {
  readonly tool: string;
  readonly key: string;
  readonly args: Record<string, unknown>;
}

/** Names that models know from other tools, and one that is similar to no other. */
const keys = ['old_string', 'new_string', 'replace_all', 'dryRun', 'dry_run', 'force', 'zzzzzz'];

/**
 * For each tool of a server and each object in its arguments that accepts no other keys, valid calls with
 * an unknown one. Made from the published schemas.
 */
export async function unknownKeyCalls(client: Client): Promise<UnknownKeyCall[]> {
  const tools = await client.listTools();
  return tools.flatMap(({ name, inputSchema }) =>
    keys.flatMap((key) =>
      withKey(inputSchema as Schema, key).map((args) => ({
        tool: name,
        key,
        args: args as Record<string, unknown>,
      })),
    ),
  );
}

/** The answers to these calls that do not refuse the key by its name. */
export async function acceptedKeys(client: Client, calls: readonly UnknownKeyCall[]): Promise<string[]> {
  const accepted: string[] = [];
  for (const { tool, key, args } of calls) {
    const { content, isError } = await client.callTool(tool, args);
    const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
    if (!isError || !text.includes(`Unknown argument "${key}"`))
      accepted.push(`${tool} ${JSON.stringify(args)}: ${text}`);
  }
  return accepted;
}

/** The smallest values of a schema that have the key in one of their objects. */
function withKey(schema: Schema, key: string): unknown[] {
  if (schema.anyOf) return schema.anyOf.flatMap((each) => withKey(each, key));
  if (schema.items) return withKey(schema.items, key).flatMap((item) => [[item], item]);
  const { properties } = schema;
  if (!properties) return [];
  const least = leastOf(schema) as object;
  const here = key in properties || schema.additionalProperties === true ? [] : [{ ...least, [key]: true }];
  const inside = Object.entries(properties).flatMap(([name, member]) =>
    // Models also send objects as their JSON text.
    withKey(member, key).flatMap((value) =>
      [value, ...(acceptsText(member) ? [] : [JSON.stringify(value)])].map((each) => ({
        ...least,
        [name]: each,
      })),
    ),
  );
  return [...here, ...inside];
}

/** Whether the schema accepts a text, as the value or as an item of it. */
function acceptsText({ type, anyOf, items }: Schema): boolean {
  return type === 'string' || [...(anyOf ?? []), ...(items ? [items] : [])].some(acceptsText);
}

/** The smallest value that a schema accepts. */
function leastOf(schema: Schema): unknown {
  const { type, properties = {}, required = [], items, anyOf, minimum = 0, minItems = 0, minLength } = schema;
  if (anyOf) return leastOf(anyOf[0]!);
  if (schema.enum) return schema.enum[0];
  if ('const' in schema) return schema.const;
  switch (typeof type === 'string' ? type : type?.[0]) {
    case 'object':
      return Object.fromEntries(required.map((name) => [name, leastOf(properties[name]!)]));
    case 'array':
      return Array.from({ length: minItems }, () => leastOf(items ?? {}));
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return minimum;
    default:
      return 'a'.repeat(Math.max(1, minLength ?? 1));
  }
}
