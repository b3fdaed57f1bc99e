import { defineResource } from '@mcp/protocol';
import type { Database } from '../backend/database.ts';
import { Refused } from '../backend/errors.ts';
import type { Sqlite } from '../context.ts';
import { completeDatabase, completeTable, readIn, watchIn } from '../input/database-uri.ts';

const defaultLimit = 100;
const maxLimit = 1_000;

interface Page {
  readonly table: string;
  readonly cursor?: string | undefined;
  readonly limit?: string | undefined;
}

const reader =
  ({ table, cursor, limit }: Page) =>
  (database: Database) =>
    database.run('rows', { table, cursor, limit: limitOf(limit) });

/** Pages of a table in the order of its key. */
export const rows = defineResource({
  uri: 'sqlite://{database}/table/{table}/rows{?cursor,limit}',
  name: 'rows',
  title: 'Rows',
  description: 'Rows of a table in the order of its key; nextCursor begins the next page.',
  mimeType: 'application/json',

  read: ({ database, ...page }, sqlite: Sqlite, { uri }) => readIn(uri, database, sqlite, reader(page)),
  watch: ({ database, ...page }, changed, sqlite: Sqlite, { uri }) =>
    watchIn(uri, database, sqlite, reader(page), changed),
  complete: {
    database: (typed: string, sqlite: Sqlite) => completeDatabase(typed, sqlite),
    table: (typed: string, sqlite: Sqlite, call) => completeTable(typed, sqlite, call),
  },
});

function limitOf(limit: string | undefined): number {
  if (limit === undefined || limit === '') return defaultLimit;
  const number = Number(limit);
  if (/^\d{1,4}$/.test(limit) && number >= 1 && number <= maxLimit) return number;
  throw new Refused(`Invalid limit: ${JSON.stringify(limit)}; expected an integer from 1 to ${maxLimit}`);
}
