import { type Call, defineTool, jsonResult, jsonSchema, type Tool } from '@mcp/protocol';
import { DatabaseError, faultOfValue, type StoredQuery } from '@mcp/sqlite-pool';
import type { Sqlite } from '../context.ts';
import { runWrite } from '../input/confirmed-write.ts';
import { maxAnswerLength } from '../text/bounded-lines.ts';
import { rowsSchema, writeSchema } from '../text/output-schemas.ts';
import { writeResult } from '../text/write-text.ts';

type Values = { readonly [parameter: string]: unknown };

interface Arguments {
  readonly values: Values;
  readonly cursor: string | undefined;
}

/**
 * The tool of a query that the operator wrote. With `structured`, it returns rows as structured content,
 * otherwise as a table in text.
 */
export function storedQuery(query: StoredQuery, structured: boolean): Tool<Sqlite> {
  const { name, title, description, writes } = query;
  const definition = {
    name,
    ...(title !== undefined && { title }),
    description,
    annotations: { ...(writes ? { destructiveHint: true } : { readOnlyHint: true }), openWorldHint: false },
    inputSchema: inputOf(query),
  };
  if (writes) {
    return defineTool({
      ...definition,
      outputSchema: writeSchema,
      run: (args: Arguments, call: Call<Sqlite>) => placed(query, () => write(query, args, call)),
    });
  }
  if (!structured) {
    return defineTool({
      ...definition,
      run: (args: Arguments, call: Call<Sqlite>) =>
        placed(query, async () => (await read(query, args, { format: 'table', call })).content),
    });
  }
  return defineTool({
    ...definition,
    outputSchema: rowsSchema,
    run: (args: Arguments, call: Call<Sqlite>) =>
      placed(query, async () => jsonResult(await read(query, args, { format: 'json', call }))),
  });
}

async function read(
  { statements, database }: StoredQuery,
  { values, cursor }: Arguments,
  { format, call }: { readonly format: 'table' | 'json'; readonly call: Call<Sqlite> },
) {
  const [sql = ''] = statements;
  const request = { sql, params: values, cursor, maxLength: maxAnswerLength, format };
  const { text, json } = await call.context.databases.reading(database, [sql], (found, files) =>
    found.query({ ...request, files }, { call }),
  );
  return { content: text, json };
}

async function write({ statements, database }: StoredQuery, { values }: Arguments, call: Call<Sqlite>) {
  const written = await runWrite(call, {
    statements: statements.map((sql) => ({ sql, params: values })),
    database,
  });
  return writeResult(written, { dryRun: false, databases: call.context.databases });
}

function inputOf({ parameters, writes }: StoredQuery) {
  const entries = Object.entries(parameters);
  const required = entries.filter(([, { default: standard }]) => standard === undefined);
  const properties = Object.fromEntries(
    entries.map(([name, { default: standard, ...schema }]) => [
      name,
      { ...schema, ...(standard !== undefined && standard !== null && { default: standard }) },
    ]),
  );
  const json = {
    type: 'object',
    properties: writes ? properties : { ...properties, cursor: { type: 'string' } },
    ...(required.length > 0 && { required: required.map(([name]) => name) }),
    additionalProperties: false,
  };
  return jsonSchema<Arguments>(json, (args) => checked(args as Values, parameters));
}

/** The values of all parameters, with their defaults. Throws for one that is missing or does not fit. */
function checked(args: Values, parameters: StoredQuery['parameters']): Arguments {
  const values: { [name: string]: unknown } = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    const value = args[name] ?? parameter.default;
    if (value === undefined) throw new Error(`Missing argument "${name}" of the type ${parameter.type}`);
    const fault = value === null ? undefined : faultOfValue(parameter, value);
    if (fault !== undefined) throw new Error(`Invalid "${name}": ${JSON.stringify(value)}. ${fault}`);
    values[name] = value;
  }
  const { cursor } = args;
  if (cursor !== undefined && typeof cursor !== 'string')
    throw new Error('Invalid "cursor": expected a string');
  return { values, cursor };
}

/** Reasons of failures that only the operator can remove, because the operator wrote the SQL. */
const ofSql = new Set(['long-row', 'query-timeout', 'reads', 'writes', 'unknown-table']);

/** Runs a query. A failure of the SQL names the place of the SQL, for the operator. */
async function placed<Result>({ place }: StoredQuery, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    const { code, reason = '' } = error.failure;
    if (code !== 'SQLITE_ERROR' && !ofSql.has(reason)) throw error;
    const hint = `The operator can change the SQL: ${place}`;
    throw new DatabaseError({ ...error.failure, hint }, { cause: error });
  }
}
