import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client } from '@mcp/protocol/client';
import { spawnServer } from '@mcp/protocol/stdio';
import Driver from 'better-sqlite3';
import { describe, expect, test, vi } from 'vitest';
import { OtherProcess } from './database-process.ts';
import { problem, Workspace } from './workspace.ts';

// The tests wait for locks and for other processes.
vi.setConfig({ testTimeout: 120_000 });

const rows = (count: number) =>
  `CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT);
   INSERT INTO t(v) WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT ${count}) SELECT printf('%0200d', x) FROM c;`;

test('a lock of another process is waited for, then reported, while other databases answer', async () => {
  using workspace = new Workspace();
  const free = workspace.putDatabase('free.db', 'CREATE TABLE here(x)');
  await using client = await workspace.connect({
    paths: [workspace.path, free],
    allowWrite: true,
    revision: '2025-11-25',
  });
  await client.callTool('query', { sql: 'SELECT 1', database: 'shop' });
  using other = new OtherProcess(workspace.path);
  await other.run('BEGIN EXCLUSIVE');
  const locked = workspace.say(client, 'query', { sql: 'SELECT * FROM customers', database: 'shop' });
  expect(await workspace.say(client, 'list_tables', { database: 'free' })).toBe(
    'here: table, 1 columns, 0 rows\n1 table or view',
  );
  await client.ping();
  expect(await locked).toBe(
    'ERROR SQLITE_BUSY: database is locked\nAnother process is writing to the database; try again',
  );
  const waiting = workspace.say(client, 'write', {
    sql: "INSERT INTO customers(name) VALUES ('D')",
    database: 'shop',
  });
  await other.run('COMMIT');
  expect(await waiting).toContain('Changed 1 row');
});

test('the next query sees a schema change of another process', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  const all = { sql: 'SELECT * FROM customers WHERE id = 1', format: 'csv' };
  expect(await workspace.say(client, 'query', all)).toBe('id,name,city\n1,Ada,Oslo');
  using other = new OtherProcess(workspace.path);
  await other.run('ALTER TABLE customers ADD COLUMN age INTEGER DEFAULT 36');
  expect(await workspace.say(client, 'query', all)).toBe('id,name,city,age\n1,Ada,Oslo,36');
  await other.run('ALTER TABLE customers RENAME TO people');
  expect(await workspace.say(client, 'query', all)).toContain('no such table: customers');
});

describe.each([{ wal: false }, { wal: true }])('with WAL: $wal', ({ wal }) => {
  test('each of many concurrent queries reads one commit, at least as new as the last one before it', async () => {
    using workspace = new Workspace('CREATE TABLE p(a, b); INSERT INTO p VALUES (0, 0)', { wal });
    await using client = await workspace.connect();
    using other = new OtherProcess(workspace.path);
    const commits = 40;
    let committed = 0;
    const reader = async () => {
      while (committed < commits) {
        const least = committed;
        const { structuredContent } = await client.callTool('query', {
          sql: 'SELECT * FROM p',
          format: 'json',
        });
        const { columns, rows } = structuredContent as { columns: unknown[]; rows: number[][] };
        const [a, b, ...added] = rows[0]!;
        expect(a).toBe(b);
        expect(a).toBeGreaterThanOrEqual(least);
        expect(columns).toHaveLength(2 + added.length);
        expect(added).toHaveLength(Math.floor(a! / 10));
      }
    };
    const crowd = Promise.all(Array.from({ length: 32 }, reader));
    while (committed < commits) {
      const next = committed + 1;
      const column = next % 10 === 0 ? `ALTER TABLE p ADD COLUMN c${next};` : '';
      await other.run(
        `BEGIN IMMEDIATE; UPDATE p SET a = ${next}; ${column} UPDATE p SET b = ${next}; COMMIT`,
      );
      committed = next;
    }
    await crowd;
  });
});

test.each([{ wal: false }, { wal: true }])(
  'a query cursor is stale after a commit, and table pages stay consistent (WAL: $wal)',
  async ({ wal }) => {
    using workspace = new Workspace(rows(250), { wal });
    await using client = await workspace.connect();
    const sql = 'SELECT id FROM t ORDER BY id DESC';
    const page = async (cursor?: string) => {
      const { structuredContent, content } = await client.callTool('query', {
        sql,
        limit: 100,
        cursor,
        format: 'json',
      });
      const value = structuredContent as { rows: number[][]; nextCursor?: string } | undefined;
      return {
        rows: value?.rows.flat() ?? [],
        next: value?.nextCursor,
        text: (content[0] as { text: string }).text,
      };
    };
    const first = await page();
    const second = await page(first.next);
    const third = await page(second.next);
    expect([...first.rows, ...second.rows, ...third.rows]).toEqual(
      Array.from({ length: 250 }, (_, index) => 250 - index),
    );
    expect(third.next).toBeUndefined();
    expect((await page('x')).text).toContain('Invalid cursor: "x"');
    const { content } = await client.callTool('query', { sql: 'SELECT 1', cursor: first.next });
    expect((content[0] as { text: string }).text).toContain('The cursor belongs to another query');

    const table = async (uri: string) => {
      const { contents } = await client.readResource(uri);
      return JSON.parse((contents[0] as { text: string }).text) as { rows: number[][]; nextCursor?: string };
    };
    const uri = 'sqlite://shop/table/t/rows?limit=100';
    const rowsBefore = await table(uri);
    using other = new OtherProcess(workspace.path);
    await other.run("DELETE FROM t WHERE id IN (50, 150); INSERT INTO t(id, v) VALUES (0, 'before')");
    expect((await page(first.next)).text).toBe(
      'The cursor is stale: the database has changed since the previous page\n' +
        'Repeat the query without cursor; to page while others write, use a key (WHERE id > ? ORDER BY id)',
    );
    const rowsAfter = await table(`${uri}&cursor=${rowsBefore.nextCursor}`);
    expect(rowsBefore.rows.at(-1)?.[0]).toBe(100);
    expect([rowsAfter.rows[0]?.[0], rowsAfter.rows.at(-1)?.[0], rowsAfter.rows.length]).toEqual([
      101, 201, 100,
    ]);
    // A transaction that is rolled back is no commit.
    const again = await page();
    await other.run('BEGIN; DELETE FROM t; ROLLBACK');
    expect((await page(again.next)).rows).toHaveLength(100);
    // Nor is a checkpoint.
    await other.run('CREATE TABLE u(x)');
    const before = await page();
    await other.run('PRAGMA wal_checkpoint');
    expect((await page(before.next)).rows).toHaveLength(100);
    // The last connection removes the WAL, and with it the counter of commits.
    other[Symbol.dispose]();
    await endReaders(client, workspace);
    const alone = await page();
    await endReaders(client, workspace);
    workspace.make(workspace.path, "UPDATE t SET v = 'other' WHERE id = 1");
    expect((await page(alone.next)).text).toContain('The cursor is stale');
  },
);

/** Ends the reading process, and waits until no process has the database open. */
async function endReaders(client: Client, workspace: Workspace): Promise<void> {
  const sql = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c';
  await client.callTool('query', { sql, timeout_ms: 200 });
  const closed = () => {
    workspace.make(workspace.path, 'SELECT count(*) FROM t');
    return !existsSync(`${workspace.path}-wal`);
  };
  await expect.poll(closed).toBe(true);
}

test.each([{ wal: false }, { wal: true }])(
  'every commit of short-lived connections is seen (WAL: $wal)',
  async ({ wal }) => {
    using workspace = new Workspace('CREATE TABLE t(v)', { wal });
    await using client = await workspace.connect();
    for (let count = 1; count <= 5; count++) {
      workspace.make(workspace.path, `INSERT INTO t VALUES (${count})`);
      expect(await workspace.rows(client, 'SELECT count(*), max(v) FROM t')).toEqual([[count, count]]);
    }
  },
);

test.each([
  ['two columns', 'CREATE TABLE t(a TEXT, b INT, PRIMARY KEY (a, b)) WITHOUT ROWID', ['a', 'b']],
  ['a hidden rowid', 'CREATE TABLE t(a TEXT, b INT)', ['a', 'b']],
  ['a column named rowid', 'CREATE TABLE t(a TEXT, b INT, rowid TEXT)', ['a', 'b']],
  ['a view', 'CREATE TABLE s(a TEXT, b INT); CREATE VIEW t AS SELECT * FROM s', ['a', 'b']],
])('pages contain each row of a table with %s once', async (_, sql, columns) => {
  const target = sql.includes('VIEW') ? 's' : 't';
  using workspace = new Workspace(
    `${sql}; INSERT INTO ${target}(a, b) WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 25) SELECT 'k' || (x % 3), x FROM c`,
  );
  await using client = await workspace.connect();
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const uri = `sqlite://shop/table/t/rows?limit=7${cursor === undefined ? '' : `&cursor=${cursor}`}`;
    const { contents } = await client.readResource(uri);
    const page = JSON.parse((contents[0] as { text: string }).text) as {
      columns: string[];
      rows: unknown[][];
      nextCursor?: string;
    };
    expect(page.columns.slice(0, 2)).toEqual(columns);
    seen.push(...page.rows.map(([a, b]) => `${String(a)} ${String(b)}`));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(new Set(seen).size).toBe(25);
  expect(seen).toHaveLength(25);
});

test('a cursor of a view is stale after a commit', async () => {
  using workspace = new Workspace(`${rows(9)}; CREATE VIEW v AS SELECT id FROM t`);
  await using client = await workspace.connect();
  const uri = 'sqlite://shop/table/v/rows?limit=3';
  const { contents } = await client.readResource(uri);
  const { nextCursor } = JSON.parse((contents[0] as { text: string }).text) as { nextCursor: string };
  workspace.make(workspace.path, 'DELETE FROM t WHERE id < 3');
  expect(await problem(() => client.readResource(`${uri}&cursor=${nextCursor}`))).toContain(
    'The cursor is stale',
  );
});

test('two servers that write to one WAL database lose no row', { timeout: 120_000 }, async () => {
  using workspace = new Workspace('CREATE TABLE t(who INTEGER, n INTEGER)', { wal: true });
  const clients = await Promise.all(
    [1, 2].map(async () => {
      const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));
      const server = spawnServer({
        command: process.execPath,
        args: [program, '--allow-write', workspace.path],
      });
      return Client.connect(server.channel, { timeoutMs: 120_000 });
    }),
  );
  const inserts = clients.flatMap((client, who) =>
    Array.from({ length: 1_000 }, (_, n) =>
      client.callTool('write', { sql: 'INSERT INTO t VALUES (?, ?)', params: [who, n] }),
    ),
  );
  for (const { isError, content } of await Promise.all(inserts))
    expect(isError, JSON.stringify(content)).toBeUndefined();
  expect(await workspace.rows(clients[0]!, 'SELECT who, count(DISTINCT n) FROM t GROUP BY who')).toEqual([
    [0, 1_000],
    [1, 1_000],
  ]);
  await Promise.all(clients.map((client) => client.close()));
});

test.each([{ wal: false }, { wal: true }])(
  'of two servers that change one row at once, none loses a change of the other (WAL: $wal)',
  { timeout: 120_000 },
  async ({ wal }) => {
    using workspace = new Workspace(
      'CREATE TABLE t(id INTEGER PRIMARY KEY, n); INSERT INTO t VALUES (1, 0)',
      {
        wal,
      },
    );
    const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));
    const args = [program, '--allow-write', workspace.path];
    const connect = () =>
      Client.connect(spawnServer({ command: process.execPath, args }).channel, { timeoutMs: 120_000 });
    await using one = await connect();
    await using other = await connect();
    const sql = 'UPDATE t SET n = n + 1 WHERE id = 1';
    const changes = [one, other].flatMap((client) =>
      Array.from({ length: 500 }, () => workspace.say(client, 'write', { sql })),
    );
    const answers = await Promise.all(changes);
    const made = answers.filter((answer) => answer.startsWith('Changed 1 row')).length;
    // In rollback mode, a write may wait in vain for a write of the other server.
    for (const answer of answers) expect(answer).toMatch(/^Changed 1 row|^ERROR SQLITE_BUSY/);
    expect(made).toBeGreaterThan(400);
    expect(await workspace.rows(one, 'SELECT n FROM t')).toEqual([[made]]);
    expect(await workspace.rows(one, 'SELECT * FROM pragma_integrity_check')).toEqual([['ok']]);
  },
);

test('a truncating checkpoint does not make a cursor stale, and the next commit does', async () => {
  using workspace = new Workspace(rows(30), { wal: true });
  await using client = await workspace.connect();
  using other = new OtherProcess(workspace.path);
  await other.run("UPDATE t SET v = 'x' WHERE id = 1");
  const page = async (cursor?: string) => {
    const sql = 'SELECT id FROM t ORDER BY id';
    const { structuredContent, content } = await client.callTool('query', {
      sql,
      limit: 10,
      cursor,
      format: 'json',
    });
    const { rows: found, nextCursor } = (structuredContent ?? {}) as {
      rows?: number[][];
      nextCursor?: string;
    };
    return { found: found?.length, nextCursor, text: (content[0] as { text: string }).text };
  };
  const first = await page();
  await other.run('PRAGMA wal_checkpoint(TRUNCATE)');
  const second = await page(first.nextCursor);
  expect(second.found).toBe(10);
  await other.run("UPDATE t SET v = 'y' WHERE id = 1");
  expect((await page(second.nextCursor)).text).toContain('The cursor is stale');
});

test('when an answer has arrived, the read lock is released', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  const driver = new Driver(workspace.path, { timeout: 0 });
  for (let round = 0; round < 300; round++) {
    await workspace.rows(client, `SELECT ${round} FROM customers`);
    driver.exec(`BEGIN EXCLUSIVE; UPDATE customers SET city = ${round} WHERE id = 1; COMMIT`);
  }
  driver.close();
});
