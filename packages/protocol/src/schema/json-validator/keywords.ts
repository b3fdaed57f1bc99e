import { isObject } from '@mcp/kit';
import type { Budget } from './budget.ts';
import { entriesOf, membersOf } from './check.ts';
import type { Dialect } from '../dialects.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';

/**
 * Returns the keywords of a schema, converted to the dialect 2020-12, without keywords that the schema's own
 * dialect does not have. A list in `items`, and `dependencies`, are always converted, because many schemas
 * with them do not name their dialect.
 */
export function keywordsOf(schema: JsonObject, dialect: Dialect, budget: Budget): JsonObject {
  const { $ref } = schema;
  if (dialect.refStandsAlone && typeof $ref === 'string') return { $ref };
  const entries = membersOf(schema, budget);
  const isOld = Array.isArray(schema['items']) || isObject(schema['dependencies']);
  if (!isOld && !entries.some(([keyword]) => dialect.ignored.has(keyword))) return schema;
  const known = Object.fromEntries(entries.filter(([keyword]) => !dialect.ignored.has(keyword)));
  return { ...known, ...presentItems(schema), ...presentDependencies(known, budget) };
}

function presentItems({ items, additionalItems }: JsonObject): JsonObject {
  return Array.isArray(items) ? { prefixItems: items, items: additionalItems } : {};
}

function presentDependencies(known: JsonObject, budget: Budget): JsonObject {
  const entries = entriesOf(known['dependencies'], budget);
  const isList = ([, wanted]: readonly [string, unknown]) => Array.isArray(wanted);
  return {
    dependentRequired: Object.fromEntries([
      ...entriesOf(known['dependentRequired'], budget),
      ...entries.filter(isList),
    ]),
    dependentSchemas: Object.fromEntries([
      ...entriesOf(known['dependentSchemas'], budget),
      ...entries.filter((entry) => !isList(entry)),
    ]),
  };
}
