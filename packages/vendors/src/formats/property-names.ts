import { createHash } from 'node:crypto';
import { isObject } from '@mcp/kit';
import type { JsonSchema } from '../content/json-schema.ts';
import type { Report } from '../content/rewrite-schema.ts';
import type { Arguments } from '../vendor.ts';

/**
 * Matches the names that Anthropic accepts for properties at the root. It refuses a request with any other
 * name.
 */
const legal = /^[\w.-]{1,64}$/;

/**
 * Renames properties at the root for Anthropic. A new name depends only on the old name, so that
 * `withOwnProperties` can compute it again and restore the old name.
 */
export function withLegalProperties(schema: JsonSchema, report: Report): JsonSchema {
  const { properties, required } = schema;
  if (!isObject(properties) || Object.keys(properties).every((name) => legal.test(name))) return schema;
  const members = Object.entries(properties).map(([name, member]) => {
    const renamed = legalName(name);
    if (renamed !== name) report('', `Renamed the property "${name}" to "${renamed}"`);
    return [renamed, member];
  });
  return {
    ...schema,
    properties: Object.fromEntries(members),
    ...(Array.isArray(required) && { required: required.map((name) => legalName(String(name))) }),
  };
}

/** Restores the tool's own property names in the arguments of a call. */
export function withOwnProperties(args: Arguments, schema: JsonSchema): Arguments {
  const names = Object.keys(isObject(schema['properties']) ? schema['properties'] : {});
  const own = new Map(names.map((name) => [legalName(name), name]));
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [own.get(name) ?? name, value]));
}

function legalName(name: string): string {
  if (legal.test(name)) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${name.replaceAll(/[^\w.-]/g, '_').slice(0, 55)}_${hash}`;
}
