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
  await using reader = await workspace.connect();
  expect(await workspace.say(reader, 'write_query', { query: 'DELETE FROM t' })).toBe(
    'ERROR This server is read-only\nStart it with --allow-write to enable writing',
  );
});
