import { type Call, defineTool, jsonSchema } from '@mcp/protocol';
import { DatabaseError, faultOfValue, type StoredQuery } from '@mcp/sqlite-pool';
import type { Sqlite } from '../context.ts';
import { runWrite } from '../input/confirmed-write.ts';
import { maxAnswerLength } from '../text/bounded-lines.ts';
import { writeText } from '../text/write-text.ts';

type Values = { readonly [parameter: string]: unknown };

interface Arguments {
  readonly values: Values;
  readonly cursor: string | undefined;
}

/** The tool of a query that the operator wrote. */
export function storedQuery(query: StoredQuery) {
  const { name, title, description, writes } = query;
  return defineTool({
    name,
    ...(title !== undefined && { title }),
    description,
    annotations: { ...(writes ? { destructiveHint: true } : { readOnlyHint: true }), openWorldHint: false },
    inputSchema: inputOf(query),

    async run(args: Arguments, call: Call<Sqlite>) {
      try {
        return await (writes ? write(query, args, call) : read(query, args, call));
      } catch (error) {
        throw withPlace(error, query);
      }
    },
  });
}

async function read(
  { statements, database }: StoredQuery,
  { values, cursor }: Arguments,
  call: Call<Sqlite>,
) {
  const [sql = ''] = statements;
  const request = { sql, params: values, cursor, maxLength: maxAnswerLength };
  const { text } = await call.context.databases.reading(database, [sql], (found, files) =>
    found.query({ ...request, files }, { call }),
  );
  return text;
}

async function write({ statements, database }: StoredQuery, { values }: Arguments, call: Call<Sqlite>) {
  const outcome = await runWrite(call, {
    statements: statements.map((sql) => ({ sql, params: values })),
    database,
  });
  const canExport = call.context.databases.exports !== undefined;
  return outcome.unconfirmed ?? writeText(outcome, { dryRun: false, canExport });
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
    throw new Error('Invalid "cursor": expected a text');
  return { values, cursor };
}

/** Failures that are those of the SQL, which the caller has not written. */
const ofSql = new Set(['long-row', 'query-timeout', 'reads', 'writes', 'unknown-table']);

function withPlace(error: unknown, { place }: StoredQuery): unknown {
  if (!(error instanceof DatabaseError)) return error;
  const { code, reason = '' } = error.failure;
  if (code !== 'SQLITE_ERROR' && !ofSql.has(reason)) return error;
  const hint = `The operator can change the SQL: ${place}`;
  return new DatabaseError({ ...error.failure, hint }, { cause: error });
}
