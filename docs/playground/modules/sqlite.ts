import init, { type Database, type SqlValue } from '@sqlite.org/sqlite-wasm';
import wasmBinary from '@sqlite.org/sqlite-wasm/sqlite3.wasm';
import sample from '../../../servers/sqlite/dist/sample.db';
import { readNow, writeNow } from '../memory-files.ts';

writeNow('sample.db', sample);
// The page loads nothing by itself: the bytes are in this module.
const sqlite = await (init as (options: object) => ReturnType<typeof init>)({ wasmBinary });

/** `DatabaseSync` of `node:sqlite`: what it changes stays in a copy of the file. */
export class DatabaseSync {
  readonly #database: Database;

  constructor(path: string) {
    const { capi, oo1, wasm } = sqlite;
    this.#database = new oo1.DB();
    if (path === ':memory:') return;
    const bytes = readNow(path) as Uint8Array<ArrayBuffer>;
    const flags = capi.SQLITE_DESERIALIZE_FREEONCLOSE | capi.SQLITE_DESERIALIZE_RESIZEABLE;
    const copy = wasm.allocFromTypedArray(bytes);
    const { length } = bytes;
    const code = capi.sqlite3_deserialize(this.#database.pointer!, 'main', copy, length, length, flags);
    this.#database.checkRc(code);
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  prepare(sql: string): StatementSync {
    return new StatementSync(this.#database, sql);
  }
}

class StatementSync {
  readonly #database: Database;
  readonly #sql: string;

  constructor(database: Database, sql: string) {
    this.#database = database;
    this.#sql = sql;
  }

  /** The rows as objects, by the names of their columns. */
  all(...values: readonly SqlValue[]): object[] {
    const statement = this.#database.prepare(this.#sql);
    try {
      if (values.length > 0) statement.bind([...values]);
      const rows: object[] = [];
      while (statement.step()) rows.push(statement.get({}));
      return rows;
    } finally {
      statement.finalize();
    }
  }
}
