import { isDeepStrictEqual } from 'node:util';
import { isObject } from '@mcp/kit';
import type { ListedTool } from '@mcp/protocol/client';
import type { ArgumentRule } from './policy.ts';

/** Whether a value is one of those that are allowed. */
export function isAllowed(value: unknown, allow: readonly unknown[]): boolean {
  return allow.some((each) => isDeepStrictEqual(each, value));
}

/** The schema of arguments as clients see it: without those that are fixed, under their other names. */
export function shownSchema(
  schema: ListedTool['inputSchema'],
  rules: Readonly<Record<string, ArgumentRule>>,
): ListedTool['inputSchema'] {
  if (Object.keys(rules).length === 0) return schema;
  const { properties, required } = schema;
  const described = isObject(properties) ? properties : {};
  const shown = Object.entries(described).flatMap(([name, property]) => {
    const rule = Object.hasOwn(rules, name) ? rules[name]! : {};
    return rule.value ? [] : [[rule.rename ?? name, shownProperty(property, rule)] as const];
  });
  const needed = (Array.isArray(required) ? required : []).flatMap((name: unknown) => {
    const rule = typeof name === 'string' && Object.hasOwn(rules, name) ? rules[name]! : {};
    return rule.value || rule.default ? [] : [rule.rename ?? name];
  });
  const { required: _, ...others } = schema;
  return {
    ...others,
    properties: Object.fromEntries(shown),
    ...(needed.length > 0 && { required: needed }),
  } as ListedTool['inputSchema'];
}

function shownProperty(property: unknown, { default: usual, allow, describe }: ArgumentRule): unknown {
  // A schema may also be `true`.
  const known = isObject(property) ? property : {};
  if (!usual && !allow && describe === undefined) return property;
  return {
    ...known,
    ...(describe !== undefined && { description: describe }),
    ...(usual && { default: usual.json }),
    ...(allow && { enum: allow }),
  };
}
