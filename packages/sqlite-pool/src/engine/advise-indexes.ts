import type Database from 'better-sqlite3';
import { columnUses, type ColumnUses } from '../sql/column-uses.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { tokenize } from '../sql/tokenizer.ts';
import { emptyDatabase } from './connection.ts';

/** A line of a query plan. `parent` is the id of another line, or 0 at the top. */
export interface PlanStep {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

export function planOf(
  database: Database.Database,
  sql: string,
  params: readonly unknown[],
): readonly PlanStep[] {
  const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...params) as PlanStep[];
  return steps.map(({ id, parent, detail }) => ({ id, parent, detail }));
}

export interface IndexAdvice {
  readonly indexes: readonly string[];
  readonly plan: readonly PlanStep[];
}

/** A schema with more tables, indexes and views is not copied, so there is no advice. */
const maxObjects = 2_000;
/** For how many tables of a query indexes are suggested. */
const maxTables = 3;
/** Maximum number of columns of a suggested index. */
const maxColumns = 6;

/**
 * Suggests indexes for the tables that a plan scans or sorts. They are tried in an empty copy of the schema,
 * and must make SQLite scan or sort less.
 */
export function adviseIndexes(
  source: Database.Database,
  sql: string,
  params: readonly unknown[],
): IndexAdvice | undefined {
  const copy = copySchema(source);
  if (!copy) return undefined;
  try {
    const planner = new Planner(copy, sql, params);
    const indexes = planner.bestIndexes(columnUses(sql, tablesOf(copy)).slice(0, maxTables));
    return indexes.length === 0 ? undefined : { indexes, plan: planner.plan() };
  } catch {
    // There is no plan in the copy if the statement uses a virtual table, for example.
    return undefined;
  } finally {
    copy.close();
  }
}

interface Candidate {
  readonly name: string;
  readonly sql: string;
}

/** Plans a statement in a copy of the schema, with indexes that the database itself does not have. */
class Planner {
  readonly #database: Database.Database;
  readonly #sql: string;
  readonly #params: readonly unknown[];
  readonly #hasLimit: boolean;

  constructor(database: Database.Database, sql: string, params: readonly unknown[]) {
    this.#database = database;
    this.#sql = sql;
    this.#params = params;
    this.#hasLimit = [...tokenize(sql)].some(({ text }) => text === 'limit');
  }

  plan(): readonly PlanStep[] {
    return planOf(this.#database, this.#sql, this.#params);
  }

  /** Creates all candidate indexes, then drops those that do not lower the cost. Returns the others' SQL. */
  bestIndexes(uses: readonly ColumnUses[]): readonly string[] {
    const before = this.#cost();
    const created = uses.flatMap((each) =>
      candidates(each).map((columns) => this.#create(each.table, columns)),
    );
    const used = this.plan().map(({ detail }) => `${detail} `);
    const kept = created.filter((candidate) => {
      const isUsed = used.some((detail) => detail.includes(` INDEX ${candidate.name} `));
      if (!isUsed) this.#drop(candidate);
      return isUsed;
    });
    const needed = kept.filter((candidate) => {
      const cost = this.#cost();
      this.#drop(candidate);
      const isNeeded = this.#cost() > cost;
      if (isNeeded) this.#database.exec(candidate.sql);
      return isNeeded;
    });
    return this.#cost() < before ? needed.map(({ sql }) => sql) : [];
  }

  /**
   * Scans cost most, then automatic indexes (built for one run), then searches by few columns, then sorting.
   */
  #cost(): number {
    return this.plan().reduce((cost, { detail }) => cost + this.#costOf(detail), 0);
  }

  #costOf(detail: string): number {
    if (/^SCAN (?!CONSTANT)/.test(detail)) {
      if (detail.includes(' COVERING ')) return 90;
      // Reading by an index costs as much as scanning (100) and sorting (10); with a LIMIT, it can end early.
      if (detail.includes(' USING INDEX ')) return this.#hasLimit ? 20 : 110;
      return 100;
    }
    if (detail.includes(' AUTOMATIC ')) return 50;
    return detail.startsWith('USE TEMP B-TREE') ? 10 : searchCost(detail);
  }

  #create(table: string, columns: readonly string[]): Candidate {
    const wanted = `${table}_${columns.join('_')}`;
    const taken = this.#database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ? COLLATE NOCASE');
    let name = wanted;
    for (let times = 2; taken.get(name) !== undefined; times++) name = `${wanted}_${times}`;
    const sql = `CREATE INDEX ${named(name)} ON ${named(table)} (${columns.map(named).join(', ')})`;
    this.#database.exec(sql);
    return { name, sql };
  }

  #drop({ name }: Candidate): void {
    this.#database.exec(`DROP INDEX ${quoteIdentifier(name)}`);
  }
}

/** Estimates the cost of a search. Each column reduces the rows that are found, `=` more than `>`. */
function searchCost(detail: string): number {
  const [, terms] = /^SEARCH .* INDEX .*\((.*)\)$/.exec(detail) ?? [];
  if (terms === undefined) return 0;
  const columns = terms.split(' AND ');
  const ranges = new Set(
    columns.filter((term) => /[<>]/.test(term)).map((term) => term.replace(/[<>].*$/, '')),
  );
  const equal = columns.filter((term) => !/[<>]/.test(term)).length;
  return 40 / (1 + 2 * equal + ranges.size);
}

/**
 * Returns lists of columns to index: the columns compared by `=`, followed by one range column or the columns
 * of ORDER BY; and shorter lists with some of these columns.
 */
function candidates({ equal, range, order }: ColumnUses): readonly (readonly string[])[] {
  const lists = [
    [...equal, ...order],
    [...equal, ...range.slice(0, 1)],
    equal,
    order,
    ...range.map((column) => [column]),
    ...equal.map((column) => [column]),
  ];
  const unique = new Map(
    lists.map((list) => [...new Set(list)].slice(0, maxColumns)).map((list) => [list.join('\0'), list]),
  );
  return [...unique.values()].filter(({ length }) => length > 0);
}

function named(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : quoteIdentifier(name);
}

/** Returns a copy of the tables, indexes and views without rows; undefined if the schema is very large. */
function copySchema(source: Database.Database): Database.Database | undefined {
  const objects = source
    .prepare(
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND type <> 'trigger' ORDER BY type = 'table' DESC, type = 'index' DESC",
    )
    .pluck()
    .all() as string[];
  if (objects.length > maxObjects) return undefined;
  const copy = emptyDatabase();
  for (const sql of objects) {
    // An untrusted schema may contain other text than SQLite writes, so only CREATE statements are run.
    const [create, kind] = tokenize(sql);
    if (create?.text !== 'create' || !/^(?:table|index|unique|view)$/.test(kind?.text ?? '')) continue;
    try {
      copy.prepare(sql).run();
    } catch {
      // The copy then lacks this object. If the query needs it, planning fails later, and there is no advice.
    }
  }
  return copy;
}

function tablesOf(database: Database.Database): ReadonlyMap<string, readonly string[]> {
  const rows = database
    .prepare(
      "SELECT s.name AS name, c.name AS column FROM sqlite_schema s, pragma_table_xinfo(s.name) c WHERE s.type = 'table' AND c.hidden <> 1",
    )
    .raw()
    .all() as [string, string][];
  const tables = Map.groupBy(rows, ([name]) => name);
  return new Map([...tables].map(([name, columns]) => [name, columns.map(([, column]) => column)]));
}
