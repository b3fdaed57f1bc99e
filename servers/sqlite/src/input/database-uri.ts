import { type Call, type CompletionCall, type ResourceCall, ResourceNotFound } from '@mcp/protocol';
import { type Database, DatabaseError } from '@mcp/sqlite-pool';
import type { Sqlite } from '../context.ts';

/**
 * The definition of a resource with the JSON of what `read` returns. Its subscribers are notified of each
 * commit to its database.
 */
export function jsonOf<Variables extends { readonly database: string }>(
  read: (database: Database, variables: Variables) => Promise<unknown>,
) {
  const textOf = async (variables: Variables, { context, uri }: ResourceCall<Sqlite>) => {
    try {
      return JSON.stringify(await read(databaseIn(uri, variables, context), variables), null, 1);
    } catch (error) {
      if (!(error instanceof DatabaseError) || !/no such table|^No row/.test(error.message)) throw error;
      throw new ResourceNotFound(uri, error.message, { cause: error });
    }
  };
  return {
    mimeType: 'application/json',
    read: textOf,
    watch: (variables: Variables, changed: () => void, call: ResourceCall<Sqlite>) =>
      call.context.databases.watcher.watch(
        databaseIn(call.uri, variables, call.context),
        () => textOf(variables, call),
        changed,
      ),
  };
}

function databaseIn(
  uri: string,
  { database }: { readonly database: string },
  { databases }: Sqlite,
): Database {
  const found = databases.find(database);
  if (!found) throw new ResourceNotFound(uri);
  return found;
}

export function completeDatabase(typed: string, { context: { databases } }: Call<Sqlite>): string[] {
  return databases.names.filter((name) => name.toLowerCase().startsWith(typed.toLowerCase()));
}

/** The names of tables that begin with `typed`, in the chosen database, or in all if none is chosen. */
export async function completeTable(
  typed: string,
  { context: { databases }, arguments: { database } }: CompletionCall<Sqlite>,
): Promise<string[]> {
  const chosen = database === undefined ? databases.all : [databases.find(database)];
  const names = await Promise.all(
    chosen.map((each) => each?.run('tableNames', {}).catch(() => []) ?? Promise.resolve([])),
  );
  return [...new Set(names.flat())].filter((name) => name.toLowerCase().startsWith(typed.toLowerCase()));
}

export function uriOf({ name }: Database, ...path: readonly string[]): string {
  return `sqlite://${[name, ...path].map((each) => encodeURIComponent(each)).join('/')}`;
}
