import { Refused, type StoredQuery } from '@mcp/sqlite-pool';

interface Allowed {
  readonly databases: readonly string[];
  readonly writes: boolean;
  readonly warn?: ((message: string) => void) | undefined;
}

/** Leaves out writing queries if only reads are allowed, with a warning. Throws for a wrong `database`. */
export function allowedQueries(
  queries: readonly StoredQuery[],
  { databases, writes, warn }: Allowed,
): readonly StoredQuery[] {
  const known = databases.map((name) => JSON.stringify(name)).join(', ');
  for (const { database, place, name } of queries) {
    if (database === undefined && databases.length > 1)
      throw new Refused(`${place}: queries.${name}.database: Missing: expected one of ${known}`);
    if (database !== undefined && !databases.includes(database)) {
      const message = `No such database: ${JSON.stringify(database)}; expected one of ${known}`;
      throw new Refused(`${place}: queries.${name}.database: ${message}`);
    }
  }
  return queries.filter((query) => {
    const isAllowed = writes || !query.writes;
    if (!isAllowed)
      warn?.(`${query.place}: ${query.name} writes, so it becomes a tool only with --allow-write`);
    return isAllowed;
  });
}
