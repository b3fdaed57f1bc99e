import { renameArguments } from '@mcp/protocol';

type Arguments = Parameters<typeof renameArguments>[0];

/**
 * Other names that models use for arguments, keyed by the name in the tool's schema. No tool uses one of them
 * for two of its arguments.
 */
const aliases = {
  sql: ['query', 'statement', 'sql_query', 'sqlQuery'],
  compare: ['compare_sql', 'compare_with', 'other_sql'],
  params: ['parameters', 'args', 'bindings', 'values'],
  limit: ['max_rows', 'maxRows', 'row_limit', 'max_results'],
  timeout_ms: ['timeoutMs'],
  database: ['db', 'database_name', 'databaseName', 'db_name', 'dbName'],
  table: ['table_name', 'tableName'],
  filter: ['pattern', 'name', 'search'],
  text: ['query', 'pattern', 'search', 'term', 'q'],
  insight: ['text', 'note', 'content'],
  path: ['file', 'file_path', 'filePath', 'filename', 'output_path'],
} as const;

/** Returns the function `interpret` of a tool, which replaces the aliases of its arguments. */
export function understand(...names: readonly (keyof typeof aliases)[]): (args: Arguments) => Arguments {
  const listed = Object.fromEntries(names.flatMap((name) => aliases[name].map((alias) => [alias, name])));
  return (args) => renameArguments(args, listed);
}

/**
 * Like `understand`, but also accepts a list `statements`: its first element becomes the first statement, and
 * the others become the argument `more`.
 */
export function understandStatements(
  ...names: readonly (keyof typeof aliases)[]
): (args: Arguments) => Arguments {
  const interpret = understand(...names);
  return (args) => {
    const { statements, ...rest } = interpret(args);
    const isList = Array.isArray(statements) && statements.length > 0;
    if (!isList || 'sql' in rest || 'more' in rest) return interpret(args);
    const [first, ...more] = statements as readonly unknown[];
    return {
      ...rest,
      ...(typeof first === 'object' ? first : { sql: first }),
      ...(more.length > 0 && { more }),
    };
  };
}
