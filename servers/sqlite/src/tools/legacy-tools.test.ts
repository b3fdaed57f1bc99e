import { expect, test } from 'vitest';
import { shareProcesses, Workspace } from '../../test/workspace.ts';

shareProcesses();

test('the tool names of an earlier server work, and are not listed', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({ allowWrite: true });
  expect(await workspace.say(client, 'create_table', { query: 'CREATE TABLE t(x)' })).toBe(
    'Changed 0 rows, created table t\nUndo: DROP TABLE "t"',
  );
  expect(await workspace.say(client, 'write_query', { query: 'INSERT INTO t VALUES (1)' })).toContain(
    'Changed 1 row',
  );
  expect(await workspace.say(client, 'read_query', { query: 'SELECT x FROM t' })).toBe('{"x":1}');
  const beside = workspace.putDatabase('other.db', 'CREATE TABLE o(y)');
  await using several = await workspace.connect({ allowWrite: true, paths: [workspace.path, beside] });
  expect(await workspace.say(several, 'read_query', { query: 'SELECT x FROM t' })).toMatch(
    /^ERROR Missing database/,
  );
  expect(
    await workspace.say(several, 'create_table', { query: 'CREATE TABLE p(z)', database: 'other' }),
  ).toMatch(/^Changed 0 rows, created table p/);
  expect(
    await workspace.say(several, 'write_query', { query: 'INSERT INTO o VALUES (7)', database: 'other' }),
  ).toMatch(/^Changed 1 row/);
  expect(await workspace.say(several, 'read_query', { query: 'SELECT y FROM o', database: 'other.db' })).toBe(
    '{"y":7}',
  );
  await using reader = await workspace.connect();
  expect(await workspace.say(reader, 'write_query', { query: 'DELETE FROM t' })).toBe(
    'ERROR Writing to the database "shop" is not allowed\nStart the server with --allow-write to allow it',
  );
});
