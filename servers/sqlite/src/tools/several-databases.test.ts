import { expect, test } from 'vitest';
import { shareProcesses, Workspace } from '../../test/workspace.ts';

shareProcesses();

/** A workspace with three databases, and a client of a server for two of them. */
async function twoDatabases(options: object = {}) {
  const workspace = new Workspace();
  const stats = workspace.putDatabase(
    'stats.db',
    'CREATE TABLE visits(customer, n); INSERT INTO visits VALUES (1, 7), (2, 9)',
  );
  workspace.putDatabase('other.db', "CREATE TABLE t(v); INSERT INTO t VALUES ('NOT ALLOWED')");
  const client = await workspace.connect({ paths: [workspace.path, stats], ...options });
  const query = (sql: string, args: object = {}) =>
    workspace.say(client, 'query', { sql, format: 'csv', ...args });
  return { workspace, stats, client, query };
}

test('one query reads several databases by their names', async () => {
  const { workspace, client, query } = await twoDatabases();
  using _ = workspace;
  const sql = 'SELECT c.name, v.n FROM shop.customers c JOIN stats.visits v ON v.customer = c.id ORDER BY 1';
  expect(await query(sql)).toBe('name,n\nAda,7\nBen,9');
  expect(
    await query('SELECT c.name, v.n FROM customers c JOIN "STATS".visits v ON v.customer = c.id', {
      database: 'shop',
    }),
  ).toBe('name,n\nAda,7\nBen,9');
  expect(await query('SELECT (SELECT sum(n) FROM [stats].visits) AS n')).toBe('n\n16');
  expect(
    await query('SELECT id FROM shop.customers', { compare: 'SELECT customer FROM stats.visits' }),
  ).toContain('sql: 3 rows, 1 of them not in compare; compare: 2 rows, 0 of them not in sql');
  expect(await workspace.say(client, 'explain', { sql })).toContain('SCAN ');
});

test('only the databases that the operator named are attached, and none is written', async () => {
  const { workspace, query, client } = await twoDatabases({ allowWrite: true });
  using _ = workspace;
  const before = workspace.disk;
  expect(await query('SELECT * FROM other.t')).toContain(
    'ERROR Missing database; expected one of "shop", "stats"',
  );
  expect(await query('SELECT * FROM other.t', { database: 'shop' })).toContain(
    'ERROR SQLITE_ERROR: no such table: other.t',
  );
  expect(await query('SELECT * FROM stats.vists', { database: 'shop' })).toBe(
    'ERROR SQLITE_ERROR: no such table: stats.vists\nDid you mean "visits"?',
  );
  expect(await query("ATTACH 'other.db' AS other", { database: 'shop' })).toMatch(/^ERROR Only SELECT/);
  const sql = 'DELETE FROM stats.visits';
  expect(await workspace.say(client, 'write', { sql, database: 'shop' })).toContain(
    'ERROR SQLITE_ERROR: no such table',
  );
  expect(workspace.disk).toBe(before);
});

test('a name that is an alias or a column of the query keeps its meaning', async () => {
  const { workspace, query } = await twoDatabases();
  using _ = workspace;
  expect(
    await query('SELECT stats.name FROM customers AS stats WHERE stats.id = 1', { database: 'shop' }),
  ).toBe('name\nAda');
  expect(await query("SELECT 'stats.visits' AS v", { database: 'shop' })).toBe('v\nstats.visits');
});

test('databases named like those of SQL itself are never another one', async () => {
  using workspace = new Workspace();
  const paths = ['stats', 'main', 'temp'].map((name) =>
    workspace.putDatabase(`${name}.db`, `CREATE TABLE t(v); INSERT INTO t VALUES ('${name}')`),
  );
  await using client = await workspace.connect({ paths });
  const query = (sql: string, args: object = {}) =>
    workspace.say(client, 'query', { sql, format: 'csv', ...args });
  const sql = 'SELECT s.v AS s, m.v AS m FROM stats.t s, main.t m';
  expect(await query(sql)).toBe('s,m\nstats,main');
  expect(await query(sql, { database: 'main' })).toBe('s,m\nstats,main');
  expect(await query(sql, { database: 'stats' })).toBe(
    'ERROR In a query of the database "stats", "main" means "stats" itself, and not the database "main"\nLeave out database, so that "main" is the queried one',
  );
  expect(await query('SELECT v FROM "temp.db".t')).toBe('v\ntemp');
  expect(client.instructions).toContain('"stats", "main", "temp.db"');
});

test('the next page is refused after a commit to any of the databases, and an attached file may be replaced', async () => {
  const { workspace, stats, query } = await twoDatabases();
  using _ = workspace;
  const sql = 'SELECT c.id, v.n FROM shop.customers c, stats.visits v ORDER BY 1, 2';
  const cursor = /cursor "([^"]+)"/.exec(await query(sql, { limit: 1 }))![1]!;
  expect(await query(sql, { limit: 5, cursor })).toBe('id,n\n1,9\n2,7\n2,9\n3,7\n3,9');
  workspace.make(stats, 'INSERT INTO visits VALUES (3, 1)');
  expect(await query(sql, { limit: 1, cursor })).toContain('ERROR The cursor is stale');
  expect(await query('SELECT count(*) AS n FROM stats.visits, shop.customers')).toBe('n\n9');
});

test('more databases than SQLite attaches are refused with their number', async () => {
  using workspace = new Workspace();
  const paths = Array.from({ length: 12 }, (_, index) =>
    workspace.putDatabase(`d${index}.db`, 'CREATE TABLE t(v)'),
  );
  await using client = await workspace.connect({ paths });
  const from = (count: number) =>
    paths
      .slice(0, count)
      .map((_, index) => `d${index}.t`)
      .join(', ');
  expect(await workspace.say(client, 'query', { sql: `SELECT 1 FROM ${from(10)}` })).toContain('0 rows');
  expect(await workspace.say(client, 'query', { sql: `SELECT 1 FROM ${from(11)}` })).toBe(
    'ERROR The query names 11 databases; SQLite reads at most 10 together',
  );
});
