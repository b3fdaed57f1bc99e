import { expect, test } from 'vitest';
import { shareProcesses, Workspace } from '../../test/workspace.ts';

shareProcesses();

test('an error names a tool of this server, or the option that publishes it', async () => {
  using workspace = new Workspace();
  await using reading = await workspace.connect();
  await using writing = await workspace.connect({ allowWrite: true });
  const refused = (client: typeof reading, sql: string) => workspace.say(client, 'query', { sql });
  expect(await refused(reading, 'PRAGMA user_version')).toBe(
    'ERROR Only SELECT, WITH and VALUES can be run here, not "PRAGMA"\nUse list_tables, describe_table or explain instead',
  );
  expect(await refused(reading, 'DELETE FROM orders')).toMatch(
    /\nStart the server with --allow-write for the tool write$/,
  );
  expect(await refused(writing, 'DELETE FROM orders')).toMatch(/\nUse the tool write$/);
  expect(await refused(writing, 'WITH t AS (SELECT 1) DELETE FROM orders')).toBe(
    'ERROR This statement writes; expected one that only reads\nUse the tool write',
  );
  expect(await refused(writing, 'BEGIN')).toMatch(/\nEach call of write is one transaction/);
  expect(await workspace.say(reading, 'describe_table', { table: 'zzz' })).toMatch(
    /\nlist_tables lists all tables$/,
  );
});
