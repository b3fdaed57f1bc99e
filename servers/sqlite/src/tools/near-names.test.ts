import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shareProcesses, Workspace } from '../../test/workspace.ts';

shareProcesses();

test.each([
  ['query', { sql: 'SELECT * FROM custmers' }, 'customers'],
  ['query', { sql: 'SELECT nmae FROM customers' }, 'name'],
  ['query', { sql: 'SELECT lenght(name) FROM customers' }, 'length'],
  ['query', { sql: 'SELECT 1', database: 'shpo' }, 'shop'],
  ['write', { sql: "INSERT INTO customers(nmae) VALUES ('x')" }, 'name'],
  ['write', { sql: 'ALTER TABLE customers RENAME COLUMN ctiy TO town' }, 'city'],
  ['write', { sql: 'DROP INDEX by_nmae' }, 'by_name'],
  ['write', { sql: 'DROP TRIGGER notde' }, 'noted'],
  ['write', { sql: 'DROP VIEW sene' }, 'seen'],
  ['search', { text: 'x', table: 'oders' }, 'orders'],
  ['describe_table', { table: 'oders' }, 'orders'],
  ['import', { path: '2O26/sales.csv', table: 'n' }, '2026'],
  ['import', { path: '2026/slaes.csv', table: 'n' }, '2026/sales.csv'],
])('%s with %j suggests %j', async (tool, args, name) => {
  using workspace = new Workspace();
  workspace.make(
    workspace.path,
    `CREATE INDEX by_name ON customers(name); CREATE VIEW seen AS SELECT 1;
     CREATE TRIGGER noted AFTER DELETE ON orders BEGIN SELECT 1; END`,
  );
  mkdirSync(join(workspace.outside, '2026'));
  workspace.put('../outside/2026/sales.csv', 'a\n1\n');
  await using client = await workspace.connect({ allowWrite: true, importDirectory: workspace.outside });
  expect(await workspace.say(client, tool, args)).toContain(`\nDid you mean "${name}"`);
});
