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

/** A call whose arguments would be valid without the unknown key `key`. */
export interface UnknownKeyCall {
  readonly tool: string;
  readonly key: string;
  readonly args: Record<string, unknown>;
}

/** Argument names that models know from other tools, and a name that is similar to no argument. */
const keys = ['old_string', 'new_string', 'replace_all', 'dryRun', 'dry_run', 'force', 'zzzzzz'];

/**
 * Returns calls that are valid except for one unknown key. For each tool and each key there are several
 * calls: one for each object in the tool's arguments that accepts no unknown keys. The key is in that object.
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

/** Makes the calls, and returns the answers that do not refuse the unknown key by its name. */
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

/** The smallest values that a schema accepts, each with the key added to one of the objects in the value. */
function withKey(schema: Schema, key: string): unknown[] {
  if (schema.anyOf) return schema.anyOf.flatMap((each) => withKey(each, key));
  if (schema.items) return withKey(schema.items, key).flatMap((item) => [[item], item]);
  const { properties } = schema;
  if (!properties) return [];
  const least = leastOf(schema) as object;
  const here = key in properties || schema.additionalProperties === true ? [] : [{ ...least, [key]: true }];
  const inside = Object.entries(properties).flatMap(([name, member]) =>
    // Models also send an object as a JSON text, so the text is tried, too.
    withKey(member, key).flatMap((value) =>
      [value, ...(acceptsText(member) ? [] : [JSON.stringify(value)])].map((each) => ({
        ...least,
        [name]: each,
      })),
    ),
  );
  return [...here, ...inside];
}

/** Whether a schema accepts a text, either as the value or as an item of the value. */
function acceptsText({ type, anyOf, items }: Schema): boolean {
  return type === 'string' || [...(anyOf ?? []), ...(items ? [items] : [])].some(acceptsText);
}

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
