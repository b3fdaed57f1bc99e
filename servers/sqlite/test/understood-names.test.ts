import { expect, test } from 'vitest';
import { shareProcesses, Workspace } from './workspace.ts';

shareProcesses();

/** Two calls of one tool, which have to mean the same: with the listed names, and with those of models. */
const pairs: readonly (readonly [string, Record<string, unknown>, Record<string, unknown>])[] = [
  ['query', { sql: 'SELECT name FROM customers' }, { query: 'SELECT name FROM customers' }],
  ['query', { sql: 'SELECT name FROM customers' }, { statement: 'SELECT name FROM customers', db: 'shop' }],
  [
    'query',
    { sql: 'SELECT ?', params: [7] },
    { sql_query: 'SELECT ?', parameters: [7], database_name: 'shop.db' },
  ],
  [
    'query',
    { sql: 'SELECT id FROM customers', limit: 2, format: 'csv' },
    { sql: 'SELECT id FROM customers', max_rows: 2, format: 'csv' },
  ],
  ['explain', { sql: 'SELECT 1' }, { query: 'SELECT 1' }],
  ['list_tables', { filter: 'order' }, { pattern: 'order' }],
  ['describe_table', { table: 'orders' }, { table_name: 'orders' }],
  ['describe_table', { table: 'orders' }, { tableName: 'orders', db: 'shop' }],
  ['search', { text: 'Oslo' }, { query: 'Oslo' }],
  ['search', { text: 'Oslo', table: 'customers' }, { pattern: 'Oslo', table_name: 'customers' }],
  ['write', { sql: 'DELETE FROM orders', dry_run: true }, { query: 'DELETE FROM orders', dry_run: true }],
  [
    'write',
    { sql: 'DELETE FROM orders', more: ['DELETE FROM customers'], dry_run: true },
    { statements: ['DELETE FROM orders', 'DELETE FROM customers'], dry_run: true },
  ],
  [
    'write',
    { sql: 'DELETE FROM orders WHERE id = ?', params: [1], dry_run: true },
    { statements: [{ sql: 'DELETE FROM orders WHERE id = ?', params: [1] }], dry_run: true },
  ],
  [
    'import',
    { path: 'a.csv', table: 'a', dry_run: true },
    { file_path: 'a.csv', table_name: 'a', dry_run: true },
  ],
];

test.each(pairs)('%s understands %j as %j', async (tool, listed, brought) => {
  using workspace = new Workspace();
  workspace.put('../outside/a.csv', 'x\n1\n');
  await using client = await workspace.connect({ allowWrite: true, importDirectory: workspace.outside });
  const expected = await workspace.say(client, tool, listed);
  expect(expected).not.toContain('ERROR');
  expect(await workspace.say(client, tool, brought)).toBe(expected);
});

test('a name beside the listed one that it stands for is refused, not guessed', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({ allowWrite: true });
  const before = workspace.disk;
  const both = { sql: 'SELECT 1', query: 'SELECT 2' };
  expect(await workspace.say(client, 'query', both)).toMatch(/^ERROR .*"query"/);
  const statements = { sql: 'DELETE FROM orders', statements: ['DELETE FROM customers'] };
  expect(await workspace.say(client, 'write', statements)).toMatch(/^ERROR .*"statements"/);
  const empty = { statements: [] };
  expect(await workspace.say(client, 'write', empty)).toMatch(/^ERROR/);
  expect(workspace.disk).toBe(before);
});
