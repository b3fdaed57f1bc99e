import { expect, test } from 'vitest';
import { shareProcesses, Workspace } from '../../test/workspace.ts';

shareProcesses();

test('shows the query plan as a tree, without running the statement', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  const before = workspace.disk;
  const sql = 'SELECT * FROM customers AS c JOIN orders AS o ON o.customer_id = c.id ORDER BY o.total';
  expect(await workspace.say(client, 'explain', { sql })).toBe(
    'SCAN o\nSEARCH c USING INTEGER PRIMARY KEY (rowid=?)\nUSE TEMP B-TREE FOR ORDER BY\n',
  );
  expect(
    await workspace.say(client, 'explain', { sql: 'DELETE FROM orders WHERE id = ?', params: [1] }),
  ).toBe('SEARCH orders USING INTEGER PRIMARY KEY (rowid=?)\n');
  expect(await workspace.say(client, 'explain', { sql: 'PRAGMA query_only = 0' })).toContain(
    'have a query plan',
  );
  expect(workspace.disk).toBe(before);
});
