import { defineResource } from '@mcp/protocol';
import { Refused } from '@mcp/sqlite-pool';
import { completeDatabase, completeTable, jsonOf } from '../input/database-uri.ts';

const defaultLimit = 100;
const maxLimit = 1_000;

interface Page {
  readonly database: string;
  readonly table: string;
  readonly cursor?: string | undefined;
  readonly limit?: string | undefined;
}

/** The rows of a table, in pages, in the order of its key. */
export const rows = defineResource({
  uri: 'sqlite://{database}/table/{table}/rows{?cursor,limit}',
  name: 'rows',
  title: 'Rows',
  description: 'Rows of a table in the order of its key; nextCursor begins the next page.',

  ...jsonOf((database, { table, cursor, limit }: Page) =>
    database.run('rows', { table, cursor, limit: limitOf(limit) }),
  ),
  complete: { database: completeDatabase, table: completeTable },
});

function limitOf(limit: string | undefined): number {
  if (limit === undefined || limit === '') return defaultLimit;
  const number = Number(limit);
  if (/^\d{1,4}$/.test(limit) && number >= 1 && number <= maxLimit) return number;
  throw new Refused(`Invalid limit: ${JSON.stringify(limit)}; expected an integer from 1 to ${maxLimit}`);
}
