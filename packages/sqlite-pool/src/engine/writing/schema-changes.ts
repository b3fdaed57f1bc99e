import type Database from 'better-sqlite3';
import { quoteIdentifier } from '../../sql/quote-identifier.ts';
import { unquoted } from '../../sql/statement-guard.ts';
import { tokenize } from '../../sql/tokenizer.ts';

interface SchemaObject {
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

const verbs = new Set(['create', 'alter', 'drop']);
const maxCountedRows = 1_000_000;

/** Finds the changes of a statement to the schema. */
export class SchemaChanges {
  readonly #database: Database.Database;
  readonly #before: ReadonlyMap<string, SchemaObject>;
  /** The table that the statement drops. */
  readonly droppedTable: string | undefined;
  readonly #droppedRows: number | undefined;

  private constructor(database: Database.Database, sql: string) {
    this.#database = database;
    this.#before = objectsOf(database);
    this.droppedTable = this.#tableDroppedBy(sql);
    this.#droppedRows = this.#rowsOfDropped();
  }

  /** Call before the statement runs. Returns undefined for a statement that does not change the schema. */
  static before(database: Database.Database, sql: string): SchemaChanges | undefined {
    const first = tokenize(sql).next();
    return !first.done && verbs.has(first.value.text) ? new SchemaChanges(database, sql) : undefined;
  }

  /** Call after it: `create table log`, `alter table log`, `drop table log with 3 rows`. */
  find(): readonly string[] {
    const after = objectsOf(this.#database);
    const changes: string[] = [];
    for (const [key, { type, name, sql }] of after) {
      const before = this.#before.get(key);
      if (!before) changes.push(`create ${type} ${name}`);
      else if (before.sql !== sql) changes.push(`alter ${type} ${name}`);
    }
    for (const [key, { type, name }] of this.#before) {
      if (after.has(key)) continue;
      const isCounted = type === 'table' && this.#droppedRows !== undefined;
      changes.push(`drop ${type} ${name}${isCounted ? ` with ${this.#droppedRows} rows` : ''}`);
    }
    return changes;
  }

  /**
   * The statement that undoes the changes; undefined where that takes more than one, or a table was changed.
   */
  undo(): string | undefined {
    const after = objectsOf(this.#database);
    const created = [...after].filter(([key]) => !this.#before.has(key)).map(([, object]) => object);
    const dropped = [...this.#before].filter(([key]) => !after.has(key)).map(([, object]) => object);
    const isAltered = [...after].some(([key, { sql }]) => (this.#before.get(key)?.sql ?? sql) !== sql);
    const [object] = [...created, ...dropped];
    if (isAltered || !object || created.length + dropped.length > 1) return undefined;
    if (created.length === 1) return `DROP ${object.type.toUpperCase()} ${quoteIdentifier(object.name)}`;
    return object.type === 'table' ? undefined : object.sql;
  }

  /** The name of the table that the statement created, where it created nothing else. */
  createdTable(): string | undefined {
    const created = [...objectsOf(this.#database)].filter(([key]) => !this.#before.has(key));
    return created.length === 1 && created[0]![1].type === 'table' ? created[0]![1].name : undefined;
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

  #rowsOfDropped(): number | undefined {
    if (this.droppedTable === undefined) return undefined;
    const counted = `SELECT count(*) FROM (SELECT 1 FROM ${quoteIdentifier(this.droppedTable)} LIMIT ${maxCountedRows})`;
    return this.#database.prepare(counted).pluck().get() as number;
  }
}

/** The objects that statements created; an index that SQLite adds to a table by itself has no SQL. */
function objectsOf(database: Database.Database): ReadonlyMap<string, SchemaObject> {
  const objects = database
    .prepare('SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL')
    .all() as SchemaObject[];
  return new Map(objects.map((each) => [`${each.type} ${each.name}`, each]));
}
