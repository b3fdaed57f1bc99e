import { type CompletionCall, ResourceNotFound } from '@mcp/protocol';
import type { Database } from '../backend/database.ts';
import { DatabaseError } from '../backend/errors.ts';
import type { Sqlite } from '../context.ts';

/** Throws where the server has no such database. */
function databaseIn(uri: string, name: string, { databases }: Sqlite): Database {
  const database = databases.find(name);
  if (!database) throw new ResourceNotFound(uri);
  return database;
}

/** Reads a resource as JSON. Throws `ResourceNotFound` for a missing database, table or row. */
export async function readIn(
  uri: string,
  name: string,
  sqlite: Sqlite,
  read: (database: Database) => Promise<unknown>,
): Promise<string> {
  try {
    return JSON.stringify(await read(databaseIn(uri, name, sqlite)), null, 1);
  } catch (error) {
    if (!(error instanceof DatabaseError) || !/no such table|^No row/.test(error.message)) throw error;
    throw new ResourceNotFound(uri, error.message, { cause: error });
  }
}

/** Calls `changed` after each commit, of any process, that changes the result of `read`. */
export function watchIn(
  uri: string,
  name: string,
  sqlite: Sqlite,
  read: (database: Database) => Promise<unknown>,
  changed: () => void,
) {
  return sqlite.databases.watcher.watch(
    databaseIn(uri, name, sqlite),
    () => readIn(uri, name, sqlite, read),
    changed,
  );
}

export function completeDatabase(typed: string, { databases }: Sqlite): string[] {
  return databases.names.filter((name) => name.toLowerCase().startsWith(typed.toLowerCase()));
}

/** Tables that begin with `typed`, of the chosen database or of all. */
export async function completeTable(
  typed: string,
  { databases }: Sqlite,
  { arguments: { database } }: CompletionCall,
): Promise<string[]> {
  const chosen = database === undefined ? databases.all : [databases.find(database)];
  const names = await Promise.all(
    chosen.map((each) => each?.run('tableNames', {}).catch(() => []) ?? Promise.resolve([])),
  );
  return [...new Set(names.flat())].filter((name) => name.toLowerCase().startsWith(typed.toLowerCase()));
}

/** The URI of a resource in a database. */
export function uriOf({ name }: Database, ...path: readonly string[]): string {
  return `sqlite://${[name, ...path].map((each) => encodeURIComponent(each)).join('/')}`;
}
