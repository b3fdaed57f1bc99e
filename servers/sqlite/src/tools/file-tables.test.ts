import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shareProcesses, Workspace } from '../../test/workspace.ts';

shareProcesses();

async function withFiles(options: object = {}) {
  const workspace = new Workspace();
  workspace.put('../outside/sales.csv', 'customer,zip,total\n1,00123,2.5\n2,10115,7\n1,00123,1\n');
  workspace.put('../outside/events.json', '[{"id":1,"at":"2026-01-02"},{"id":9007199254740993,"at":null}]');
  const client = await workspace.connect({ importDirectory: workspace.outside, ...options });
  const query = (sql: string, args: object = {}) =>
    workspace.say(client, 'query', { sql, format: 'csv', ...args });
  return { workspace, client, query };
}

test('files of the import directory are tables in a query, also without writes', async () => {
  const { workspace, client, query } = await withFiles({ exportDirectory: undefined });
  using _ = workspace;
  const before = workspace.disk;
  const sql =
    'SELECT c.name, s.zip, sum(s.total) AS total FROM customers c JOIN "sales.csv" s ON s.customer = c.id GROUP BY 1 ORDER BY 1';
  expect(await query(sql)).toBe('name,zip,total\nAda,00123,3.5\nBen,10115,7.0');
  expect(await query('SELECT id, typeof(id) AS t, at FROM [events.json]')).toBe(
    'id,t,at\n1,integer,2026-01-02\n9007199254740993,integer,',
  );
  expect(
    await query('SELECT (SELECT count(*) FROM "sales.csv") AS a, (SELECT count(*) FROM `events.json`) AS b'),
  ).toBe('a,b\n3,2');
  expect(await query('SELECT customer FROM "sales.csv"', { compare: 'SELECT id FROM customers' })).toContain(
    'sql: 3 rows',
  );
  expect(await workspace.say(client, 'explain', { sql })).toContain('SCAN ');
  expect((await client.listTools()).map(({ name }) => name)).not.toContain('import');
  expect(workspace.disk).toBe(before);
});

test('the next query reads a changed file, and a cursor from before is refused', async () => {
  const { workspace, query } = await withFiles();
  using _ = workspace;
  const sql = 'SELECT total FROM "sales.csv"';
  const cursor = /cursor "([^"]+)"/.exec(await query(sql, { limit: 1 }))![1]!;
  expect(await query(sql, { limit: 9, cursor })).toBe('total\n7.0\n1.0');
  workspace.put('../outside/sales.csv', 'total\n8\n9\n');
  expect(await query(sql)).toBe('total\n8\n9');
  expect(await query(sql, { cursor })).toContain('ERROR The cursor belongs to another query');
});

test('a file with other columns than at the last query has their names', async () => {
  const { workspace, query } = await withFiles();
  using _ = workspace;
  const sql = 'SELECT * FROM "sales.csv"';
  // A statement that is prepared a second time is cached.
  for (let times = 0; times < 3; times++) expect(await query(sql)).toMatch(/^customer,zip,total\n/);
  workspace.put('../outside/sales.csv', 'a,b,c,d\n1,2,3,4\n');
  expect(await query(sql)).toBe('a,b,c,d\n1,2,3,4');
});

test('hostile names of columns and files are data', async () => {
  const { workspace, query } = await withFiles();
  using _ = workspace;
  workspace.put('../outside/q".csv', '"a"");DROP TABLE customers--",b,B\n1,2,3\n');
  expect(await query('SELECT * FROM "q"".csv"')).toBe('"a"");DROP TABLE customers--",b,B_2\n1,2,3');
  workspace.put('../outside/keys.json', '[{"a":1,"A":2,"__proto__":{"x":3}}]');
  expect(await query('SELECT * FROM "keys.json"')).toBe('a,A_2,__proto__\n1,2,"{""x"":3}"');
  const keys = Array.from({ length: 50_000 }, (__, index) => `{"k${index}":1}`);
  workspace.put('../outside/many.json', keys.join('\n'));
  expect(await query('SELECT count(*) FROM "many.json"')).toBe(
    'ERROR The file "many.json": Line 2001: the objects have more than 2000 different keys',
  );
  workspace.put('../outside/SALES.csv', 'other\n1\n');
  expect(await query('SELECT * FROM "sales.csv", "SALES.csv"')).toBe(
    'ERROR SQLite ignores letter case, and so cannot distinguish the files "sales.csv" and "SALES.csv"\nRead one of them by another path, such as "./…"',
  );
  expect(await query('SELECT other FROM "sales.csv", "./SALES.csv" LIMIT 1')).toBe('other\n1');
});

test('other files are no tables, and what is wrong with a file is said', async () => {
  const { workspace, query } = await withFiles();
  using _ = workspace;
  workspace.put('private.csv', 'a\nSECRET\n');
  symlinkSync(join(workspace.root, 'private.csv'), join(workspace.outside, 'link.csv'));
  workspace.put('../outside/bad.csv', 'a,b\n1\n');
  workspace.put('../outside/empty.csv', '');
  expect(await query('SELECT * FROM "slaes.csv"')).toMatch(
    /^ERROR No such file: "slaes\.csv"\nDid you mean "sales\.csv"/,
  );
  expect(await query('SELECT * FROM "../root/private.csv"')).toContain('ERROR ');
  expect(await query(`SELECT * FROM "${join(workspace.root, 'private.csv')}"`)).toContain(
    'ERROR Outside the import directory',
  );
  expect(await query('SELECT * FROM "link.csv"')).toContain('Symlinks are not followed');
  expect(await query('SELECT * FROM "bad.csv"')).toBe(
    'ERROR The file "bad.csv": Line 2 has 1 fields; the header has 2',
  );
  expect(await query('SELECT * FROM "empty.csv"')).toContain('ERROR The file "empty.csv": The file is empty');
  expect(await query("SELECT 'sales.csv' AS name")).toBe('name\nsales.csv');
  expect(await query('SELECT 1 AS "gone.csv"')).toBe('gone.csv\n1');
  // The connection is still read-only, and keeps no table of a file.
  expect(await query('SELECT count(*) AS n FROM temp.sqlite_schema')).toBe('n\n0');
  await using plain = await workspace.connect();
  expect(await workspace.say(plain, 'query', { sql: 'SELECT * FROM "sales.csv"' })).toContain(
    'no such table: sales.csv',
  );
});

test('a table of the database is not hidden by a file of its name', async () => {
  const { workspace, query } = await withFiles();
  using _ = workspace;
  workspace.make(workspace.path, `CREATE TABLE "sales.csv"(own); INSERT INTO "sales.csv" VALUES ('own')`);
  expect(await query('SELECT * FROM "sales.csv"')).toBe('own\nown');
});

test('a file is exported with rows of the database', async () => {
  const { workspace, client } = await withFiles();
  using _ = workspace;
  await using exporting = await workspace.connect({
    importDirectory: workspace.outside,
    exportDirectory: workspace.outside,
  });
  const sql = 'SELECT name, total FROM customers JOIN "sales.csv" ON customer = id ORDER BY total';
  expect(await workspace.say(exporting, 'export', { sql, path: 'out.csv', format: 'csv' })).toContain(
    'Exported 3 rows',
  );
  expect(readFileSync(join(workspace.outside, 'out.csv'), 'utf8')).toBe(
    'name,total\r\nAda,1.0\r\nAda,2.5\r\nBen,7.0\r\n',
  );
  expect(client.instructions).toContain('FROM "sales.csv"');
});
