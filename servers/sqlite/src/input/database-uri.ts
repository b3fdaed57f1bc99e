import { type CompletionCall, ResourceNotFound } from '@mcp/protocol';
import type { Database } from '../backend/database.ts';
import { DatabaseError } from '../backend/errors.ts';
import type { Sqlite } from '../context.ts';

/** The database that a URI names. */
function databaseIn(uri: string, name: string, { databases }: Sqlite): Database {
  const database = databases.called(name);
  if (!database) throw new ResourceNotFound(uri);
  return database;
}

/** Reads what a URI names as JSON; a table or row that does not exist is a resource that is not there. */
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

/** Tells of commits, of whatever process, after which `read` gives something else. */
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

/** Tables that begin with what was typed, of the database that was chosen before, or else of all. */
export async function completeTable(
  typed: string,
  { databases }: Sqlite,
  { arguments: { database } }: CompletionCall,
): Promise<string[]> {
  const chosen = database === undefined ? databases.all : [databases.called(database)];
  const names = await Promise.all(
    chosen.map((each) => each?.ask('tableNames', {}).catch(() => []) ?? Promise.resolve([])),
  );
  return [...new Set(names.flat())].filter((name) => name.toLowerCase().startsWith(typed.toLowerCase()));
}

/** The URI of something in a database. */
export function uriOf({ name }: Database, ...path: readonly string[]): string {
  return `sqlite://${[name, ...path].map((each) => encodeURIComponent(each)).join('/')}`;
}
