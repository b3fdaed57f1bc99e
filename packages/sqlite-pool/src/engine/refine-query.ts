import { Refused } from '../errors.ts';
import type { Filter, Refinement } from '../refinement.ts';
import type { SqlParameters } from '../sql/bind-parameters.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { bareStatement } from '../sql/tokenizer.ts';
import type { Connection } from './connection.ts';
import { prepareReading } from './prepare-reading.ts';
import type { Query } from './result-rows.ts';

/**
 * Returns a query for the refined rows of a query. The statement is a table expression of the new one, whose
 * columns have names by their indexes, because names of a query may be missing or equal. Throws for a column
 * that the query does not have.
 */
export function refineQuery(connection: Connection, query: Query, refinement: Refinement): Query {
  const { filters = [], sort, every = 1, counts = false } = refinement;
  const names = prepareReading(connection, query.sql)
    .columns()
    .map(({ name }) => name);
  const cell = (column: number) => {
    if (column in names) return `c${column}`;
    throw new Refused(`Invalid column: ${column}; the query has ${names.length} columns, from 0 on`);
  };
  const table = unusedName(query);
  const columns = refinement.columns ?? names.map((_, index) => index);
  const cells = columns.map(cell).join(', ');
  const named = columns.map((column) => `c${column} AS ${quoteIdentifier(names[column]!)}`).join(', ');
  const { conditions, params } = conditionsOf(filters, { query, table, cell });
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  const order = sort ? ` ORDER BY ${cell(sort.column)}${sort.descending === true ? ' DESC' : ''}` : '';
  const rows = `FROM ${table}${where}${order}`;
  const list = names.map((_, index) => `c${index}`).join(', ');
  const select = counts
    ? `SELECT count(*) AS count FROM ${table}${where}`
    : every === 1
      ? `SELECT ${named} ${rows}`
      : `SELECT ${named} FROM (SELECT ${cells}, row_number() OVER () AS number FROM (SELECT ${list} ${rows}))
         WHERE (number - 1) % ${every} = 0`;
  return { ...query, sql: `WITH ${table}(${list}) AS (\n${bareStatement(query.sql)}\n)\n${select}`, params };
}

interface ConditionScope {
  readonly query: Query;
  readonly table: string;
  readonly cell: (column: number) => string;
}

/** The conditions with placeholders after those of the query, and the values of both. */
function conditionsOf(
  filters: readonly Filter[],
  { query, table, cell }: ConditionScope,
): { readonly conditions: readonly string[]; readonly params: SqlParameters | undefined } {
  const { params = [] } = query;
  const added: [name: string, value: unknown][] = [];
  const isList = isArray(params);
  const placeholder = (value: unknown) => {
    const name = `${table}_${added.length}`;
    added.push([name, value ?? null]);
    return isList ? '?' : `:${name}`;
  };
  const conditions = filters.map(({ column, operator, value }) => {
    const name = cell(column);
    if (operator === 'null') return `${name} IS NULL`;
    if (operator === 'not null') return `${name} IS NOT NULL`;
    if (operator === 'contains') return `instr(lower(${name}), lower(${placeholder(value)})) > 0`;
    return `${name} ${operator} ${placeholder(value)}`;
  });
  if (added.length === 0) return { conditions, params: query.params };
  const values = added.map(([, value]) => value);
  const all = isList ? [...params, ...values] : { ...params, ...Object.fromEntries(added) };
  return { conditions, params: all };
}

/** A name that neither the statement nor its parameters use, not even in part. */
function unusedName({ sql, params }: Query): string {
  const used = `${sql}${Object.keys(params ?? {}).join()}`.toLowerCase();
  let name = 'refined';
  while (used.includes(name)) name += '_';
  return name;
}

/** Like `Array.isArray`, which does not recognize the type of a read-only array. */
function isArray(params: SqlParameters): params is readonly unknown[] {
  return Array.isArray(params);
}
