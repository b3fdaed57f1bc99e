import type Database from 'better-sqlite3';
import { quoteIdentifier } from '../../sql/quote-identifier.ts';
import { unquoted } from '../../sql/statement-guard.ts';
import { tokenize } from '../../sql/tokenizer.ts';
import { countRowsUpTo } from '../count-rows.ts';

interface SchemaObject {
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

const verbs = new Set(['create', 'alter', 'drop']);
const maxCountedRows = 1_000_000;

export class SchemaChanges {
  readonly #database: Database.Database;
  readonly #before: ReadonlyMap<string, SchemaObject>;
  /** The table that the statement drops, if it drops one. */
  readonly droppedTable: string | undefined;
  readonly #droppedRows: number | undefined;

  private constructor(database: Database.Database, sql: string) {
    this.#database = database;
    this.#before = objectsOf(database);
    this.droppedTable = this.#tableDroppedBy(sql);
    const { droppedTable } = this;
    this.#droppedRows =
      droppedTable === undefined ? undefined : countRowsUpTo(maxCountedRows, database, droppedTable);
  }

  /** Notes the schema before a statement; undefined if the statement cannot change the schema. */
  static before(database: Database.Database, sql: string): SchemaChanges | undefined {
    const first = tokenize(sql).next();
    return !first.done && verbs.has(first.value.text) ? new SchemaChanges(database, sql) : undefined;
  }

  /**
   * Returns what the statement has changed, in texts such as `drop table log with 3 rows`. Call it after the
   * statement.
   */
  find(): readonly string[] {
    const { created, altered, dropped } = this.#difference();
    return [
      ...created.map(({ type, name }) => `create ${type} ${name}`),
      ...altered.map(({ type, name }) => `alter ${type} ${name}`),
      ...dropped.map(({ type, name }) => {
        const isCounted = type === 'table' && this.#droppedRows !== undefined;
        return `drop ${type} ${name}${isCounted ? ` with ${this.#droppedRows} rows` : ''}`;
      }),
    ];
  }

  /**
   * Returns the undoing statement; undefined if several objects changed, or a table was altered or dropped.
   */
  undo(): string | undefined {
    const { created, altered, dropped } = this.#difference();
    const [object, ...others] = [...created, ...dropped];
    if (altered.length > 0 || !object || others.length > 0) return undefined;
    if (created.length === 1) return `DROP ${object.type.toUpperCase()} ${quoteIdentifier(object.name)}`;
    return object.type === 'table' ? undefined : object.sql;
  }

  /** Returns the name of the table that the statement created; undefined if it created anything else. */
  createdTable(): string | undefined {
    const [object, ...others] = this.#difference().created;
    return others.length === 0 && object?.type === 'table' ? object.name : undefined;
  }

  #difference() {
    const after = objectsOf(this.#database);
    const [present, former] = [[...after], [...this.#before]];
    return {
      created: present.flatMap(([key, object]) => (this.#before.has(key) ? [] : [object])),
      altered: present.flatMap(([key, object]) =>
        (this.#before.get(key)?.sql ?? object.sql) === object.sql ? [] : [object],
      ),
      dropped: former.flatMap(([key, object]) => (after.has(key) ? [] : [object])),
    };
  }

  #tableDroppedBy(sql: string): string | undefined {
    const [verb, kind] = tokenize(sql);
    if (verb?.text !== 'drop' || kind?.text !== 'table') return undefined;
    const last = [...tokenize(sql)].findLast(({ text }) => text !== ';')?.text ?? '';
    const wanted = unquoted(last).toLowerCase();
    return [...this.#before.values()].find(
      ({ type, name }) => type === 'table' && name.toLowerCase() === wanted,
    )?.name;
  }
}

/** Reads the objects that have SQL. Those without were created by SQLite, such as an index for UNIQUE. */
function objectsOf(database: Database.Database): ReadonlyMap<string, SchemaObject> {
  const objects = database
    .prepare('SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL')
    .all() as SchemaObject[];
  return new Map(objects.map((each) => [`${each.type} ${each.name}`, each]));
}
