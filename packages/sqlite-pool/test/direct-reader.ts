import { describeError } from '../src/engine/describe-error.ts';
import { DatabaseError } from '../src/errors.ts';
import { Connection } from '../src/engine/connection.ts';
import { runQuery } from '../src/engine/run-query.ts';
import type { SqlParameters } from '../src/sql/bind-parameters.ts';
import { Workspace } from './workspace.ts';

/** A database with everything that a hostile statement may try to read or change. */
export const fixture = `
  PRAGMA page_size = 512;
  CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT, "limit" INTEGER, "update" TEXT);
  INSERT INTO t(v, "limit") VALUES ('a', 1), ('b', 2), ('c', 3);
  CREATE TABLE big(id INTEGER PRIMARY KEY, v TEXT);
  INSERT INTO big(v) WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 100) SELECT 'v' || x FROM c;
  CREATE VIRTUAL TABLE ft USING fts5(body); INSERT INTO ft VALUES ('one two'), ('two three');
  CREATE VIEW w AS SELECT id, v FROM t; CREATE INDEX big_v ON big(v);
`;

/** The settings of a connection that SQL could change. */
const flags = [
  'query_only',
  'trusted_schema',
  'cell_size_check',
  'foreign_keys',
  'busy_timeout',
  'cache_size',
  'temp_store',
  'locking_mode',
  'journal_mode',
  'synchronous',
  'writable_schema',
  'user_version',
  'application_id',
  'schema_version',
  'secure_delete',
  'auto_vacuum',
  'page_size',
  'recursive_triggers',
  'legacy_alter_table',
  'ignore_check_constraints',
  'defer_foreign_keys',
  'reverse_unordered_selects',
  'automatic_index',
  'hard_heap_limit',
  'soft_heap_limit',
  'threads',
  'wal_autocheckpoint',
  'max_page_count',
  'mmap_size',
  'read_uncommitted',
];

/** A reading connection in this process, where the settings that a statement changes can be compared. */
export class DirectReader implements Disposable {
  readonly workspace: Workspace;
  readonly connection: Connection;

  constructor({ wal = false } = {}) {
    this.workspace = new Workspace(fixture, { wal });
    this.connection = new Connection(this.workspace.path, 'read');
    this.connection.refresh();
    this.connection.endSnapshot();
  }

  /** Runs a statement like a database process. Returns its text and JSON, or throws a `DatabaseError`. */
  run(sql: string, params?: SqlParameters): { text: string; json: string } {
    let json = '';
    const output = {
      write: (piece: string) => void (json += piece),
      restart: () => void (json = ''),
    };
    const query = { sql, params, limit: 100, maxBytes: 100_000, format: 'table' as const };
    try {
      const text = runQuery(this.connection, query, output);
      return { text, json };
    } catch (error) {
      throw new DatabaseError(describeError(error), { cause: error });
    } finally {
      this.connection.endSnapshot();
    }
  }

  /** Everything that a statement could change: files, settings, temporary tables, transactions. */
  get state(): string {
    return `${this.workspace.disk}\n${this.settings}`;
  }

  get settings(): string {
    const { database } = this.connection;
    const temporary = database.prepare('SELECT count(*) FROM sqlite_temp_schema').pluck().get();
    return [
      ...flags.map((flag) => `${flag} ${String(database.pragma(flag, { simple: true }))}`),
      JSON.stringify(database.pragma('database_list')),
      `temporary ${String(temporary)}`,
      `transaction ${database.inTransaction}`,
    ].join('\n');
  }

  [Symbol.dispose](): void {
    this.connection.close();
    this.workspace[Symbol.dispose]();
  }
}
