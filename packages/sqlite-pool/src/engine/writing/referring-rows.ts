import type Database from 'better-sqlite3';
import { quoteIdentifier } from '../../sql/quote-identifier.ts';
import type { RowTable } from './rows-by-rowid.ts';

interface ForeignKey {
  readonly child: string;
  /** Pairs of a column of the child table and the column of the parent table to which it refers. */
  readonly columns: readonly (readonly [from: string, to: string])[];
}

export interface RowidRange {
  readonly first: bigint;
  readonly last: bigint;
}

/** Maximum number of row comparisons for foreign keys without an index. This many take less than a second. */
const maxCompared = 10_000_000;

/** Whether deleting these rowids could fail or change other rows; true if the check would take too long. */
export function areReferredTo(
  database: Database.Database,
  { name, rowid }: Pick<RowTable, 'name' | 'rowid'>,
  { first, last }: RowidRange,
): boolean {
  const inRange = (alias: string) => `${alias}.${rowid} BETWEEN ${first} AND ${last}`;
  const parent = quoteIdentifier(name);
  return foreignKeysTo(database, name).some(({ child, columns }) => {
    const pairs = columns.map(([from, to]) => `p.${quoteIdentifier(to)} = c.${quoteIdentifier(from)}`);
    const others = child.toLowerCase() === name.toLowerCase() ? [`NOT ${inRange('c')}`] : [];
    const where = [inRange('p'), ...pairs, ...others].join(' AND ');
    const isSlow = !hasIndex(database, child, columns) && hasMoreRows(database, child, { first, last });
    return (
      isSlow ||
      database.prepare(`SELECT 1 FROM ${parent} p, ${quoteIdentifier(child)} c WHERE ${where}`).get() !==
        undefined
    );
  });
}

export function tablesReferringTo(database: Database.Database, table: string): readonly string[] {
  return foreignKeysTo(database, table).map(({ child }) => child);
}

function foreignKeysTo(database: Database.Database, table: string): readonly ForeignKey[] {
  const rows = database
    .prepare(
      `SELECT m.name AS child, f.id AS id, f."from" AS "from", coalesce(f."to",
         (SELECT name FROM pragma_table_info(f."table") WHERE pk = f.seq + 1)) AS "to"
       FROM sqlite_schema m, pragma_foreign_key_list(m.name) f
       WHERE m.type = 'table' AND f."table" = ? COLLATE NOCASE ORDER BY m.name, f.id, f.seq`,
    )
    .all(table) as { child: string; id: number; from: string; to: string }[];
  const keys = Map.groupBy(rows, ({ child, id }) => `${id} ${child}`);
  return [...keys.values()].map((columns) => ({
    child: columns[0]!.child,
    columns: columns.map(({ from, to }) => [from, to]),
  }));
}

function hasIndex(database: Database.Database, child: string, columns: ForeignKey['columns']): boolean {
  const where = columns.map(([from]) => `${quoteIdentifier(from)} = 1`).join(' AND ');
  const plan = database
    .prepare(`EXPLAIN QUERY PLAN SELECT 1 FROM ${quoteIdentifier(child)} WHERE ${where}`)
    .all() as { readonly detail: string }[];
  return plan.every(({ detail }) => detail.startsWith('SEARCH'));
}

function hasMoreRows(database: Database.Database, table: string, { first, last }: RowidRange): boolean {
  const limit = BigInt(maxCompared) / (last - first + 1n);
  const sql = `SELECT 1 FROM ${quoteIdentifier(table)} LIMIT 1 OFFSET ${limit}`;
  return database.prepare(sql).get() !== undefined;
}
