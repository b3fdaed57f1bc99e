import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@mcp/protocol/client';
import { spawnServer } from '@mcp/protocol/stdio';
import { describe, expect, test } from 'vitest';
import { OtherProcess } from './database-process.ts';
import { problem, Workspace } from './workspace.ts';

const rows = (count: number) =>
  `CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT);
   INSERT INTO t(v) WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT ${count}) SELECT printf('%0200d', x) FROM c;`;

test('S69 a path where nothing is makes no file', async () => {
  using workspace = new Workspace();
  const before = workspace.disk;
  for (const path of ['missing.db', 'missing/parent.db', 'shop.db/x', ':memory:', '']) {
    const told = await problem(() => workspace.connect({ paths: [join(workspace.root, path || 'no.db')] }));
    expect(told, path).toContain('No such database: ');
  }
  expect(workspace.disk).toBe(before);
});

test('S70 what is no regular file is refused at once: a directory, a pipe, a device', async () => {
  using workspace = new Workspace();
  const pipe = join(workspace.root, 'pipe.db');
  execFileSync('mkfifo', [pipe]);
  for (const path of [workspace.root, pipe, '/dev/zero']) {
    expect(await problem(() => workspace.connect({ paths: [path] }))).toBe(`Not a regular file: "${path}"`);
  }
  // Also when it is put there later.
  await using client = await workspace.connect();
  rmSync(workspace.path);
  execFileSync('mkfifo', [workspace.path]);
  expect(await workspace.say(client, 'query', { sql: 'SELECT 1' })).toContain('Not a regular file');
  rmSync(workspace.path);
  mkdirSync(workspace.path);
  expect(await workspace.say(client, 'list_tables')).toContain('Not a regular file');
});

test('S71 what is no database says so, and an empty file is an empty database', async () => {
  using workspace = new Workspace();
  const put = (name: string, bytes: string | Uint8Array) => {
    writeFileSync(join(workspace.root, name), bytes);
    return join(workspace.root, name);
  };
  const encrypted = new Uint8Array(8192).map((_, index) => (index * 7919 + 13) % 251);
  const paths = [
    put('text.db', 'just text, and enough of it to be taken for a page of a database file\n'.repeat(20)),
    put('encrypted.db', encrypted),
    put('header.db', 'SQLite format 3\0'),
    put('empty.db', ''),
  ];
  await using client = await workspace.connect({ paths });
  const before = workspace.disk;
  for (const database of ['text', 'encrypted', 'header']) {
    for (const tool of ['list_tables', 'query']) {
      const told = await workspace.say(client, tool, {
        database,
        ...(tool === 'query' && { sql: 'SELECT * FROM t' }),
      });
      expect(told, database).toBe(
        'ERROR SQLITE_NOTADB: file is not a database\n' +
          'The file is no SQLite database, or it is encrypted; nothing in it can be read',
      );
    }
  }
  expect(await workspace.say(client, 'list_tables', { database: 'empty' })).toBe('No tables');
  expect(workspace.disk).toBe(before);
});

test('S71 S72 of a damaged file nothing is told as if it were whole', async () => {
  using workspace = new Workspace(rows(2_000));
  const damaged = join(workspace.root, 'damaged.db');
  copyFileSync(workspace.path, damaged);
  const file = openSync(damaged, 'r+');
  for (let page = 40; page < 60; page++) writeSync(file, Buffer.alloc(4096, 0xa5), 0, 4096, page * 4096);
  closeSync(file);
  const cut = join(workspace.root, 'cut.db');
  copyFileSync(workspace.path, cut);
  truncateSync(cut, 100 * 4096);
  await using client = await workspace.connect({ paths: [damaged, cut], maxBytes: 100_000_000 });
  for (const database of ['damaged', 'cut']) {
    const { isError, content, structuredContent } = await client.callTool('query', {
      sql: 'SELECT * FROM t',
      limit: 10_000,
      database,
    });
    expect(isError, database).toBe(true);
    expect(structuredContent).toBeUndefined();
    expect((content[0] as { text: string }).text).toMatch(
      /^SQLITE_CORRUPT: .*malformed\nThe file is damaged/,
    );
  }
  expect(await workspace.say(client, 'query', { sql: 'SELECT 1', database: 'damaged' })).toContain('| 1 |');
});

test('S73 a WAL database in a directory that cannot be written to is read, where it has no log', async () => {
  using workspace = new Workspace(rows(3), { wal: true });
  const logged = workspace.putDatabase('logged.db', 'CREATE TABLE t(x)');
  using other = new OtherProcess(logged);
  await other.run('PRAGMA journal_mode = WAL; INSERT INTO t VALUES (1)');
  const ended = join(workspace.root, 'ended.db');
  copyFileSync(logged, ended);
  copyFileSync(`${logged}-wal`, `${ended}-wal`);
  const before = workspace.disk;
  await using client = await connectAsNobody(workspace, [workspace.path, logged, ended]);
  expect(
    await workspace.say(client, 'query', {
      sql: 'SELECT count(*) AS n FROM t',
      database: 'shop',
      format: 'csv',
    }),
  ).toBe('n\n3');
  expect(
    await workspace.say(client, 'query', { sql: 'SELECT x FROM t', database: 'logged', format: 'csv' }),
  ).toBe('x\n1');
  expect(await workspace.say(client, 'query', { sql: 'SELECT x FROM t', database: 'ended' })).toMatch(
    /^ERROR SQLITE_(?:READONLY_DIRECTORY|CANTOPEN|READONLY_CANTINIT): /,
  );
  expect(await workspace.say(client, 'append_insight', { insight: 'x', database: 'shop' })).toContain(
    'Insights are kept in a file beside the database',
  );
  expect(workspace.disk).toBe(before);
});

/** A client of the built program, run by somebody who may read here and write nothing. */
async function connectAsNobody(workspace: Workspace, paths: readonly string[]): Promise<Client> {
  chmodSync(workspace.base, 0o755);
  for (const path of paths) chmodSync(path, 0o444);
  chmodSync(workspace.root, 0o555);
  const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));
  const become =
    process.getuid?.() === 0 ? 'process.setgroups([]); process.setgid(65534); process.setuid(65534);' : '';
  const code = `${become} process.argv.splice(1, 0, ''); require(${JSON.stringify(program)})`;
  const server = spawnServer({ command: process.execPath, args: ['-e', code, '--', ...paths] });
  return Client.connect(server.channel);
}

test('S74 a journal that a crash has left is for a writer to undo, and a reader says so', async () => {
  using workspace = new Workspace(rows(2_000));
  using other = new OtherProcess(workspace.path);
  // A cache this small spills to the file before the end of the transaction.
  await other.run("PRAGMA cache_size = 2; BEGIN; UPDATE t SET v = 'changed'");
  await other.kill();
  expect(existsSync(`${workspace.path}-journal`)).toBe(true);
  const before = workspace.disk;
  await using reader = await workspace.connect();
  expect(await workspace.say(reader, 'query', { sql: 'SELECT count(*) FROM t' })).toBe(
    'ERROR SQLITE_READONLY_ROLLBACK: attempt to write a readonly database\n' +
      'Another process ended in the midst of writing; open the database for writing once, so that SQLite can repair it',
  );
  expect(workspace.disk).toBe(before);
  await using writer = await workspace.connect({ allowWrite: true });
  await writer.callTool('write', { sql: 'CREATE TABLE u(x)' });
  expect(await workspace.rows(reader, "SELECT count(*), sum(v = 'changed') FROM t")).toEqual([[2_000, 0]]);
});

test('S75 a lock of somebody else is waited for, and then told, while others are answered', async () => {
  using workspace = new Workspace();
  const free = workspace.putDatabase('free.db', 'CREATE TABLE here(x)');
  await using client = await workspace.connect({
    paths: [workspace.path, free],
    allowWrite: true,
    protocolVersion: '2025-11-25',
  });
  await client.callTool('query', { sql: 'SELECT 1', database: 'shop' });
  using other = new OtherProcess(workspace.path);
  await other.run('BEGIN EXCLUSIVE');
  const locked = workspace.say(client, 'query', { sql: 'SELECT * FROM customers', database: 'shop' });
  expect(await workspace.say(client, 'list_tables', { database: 'free' })).toBe(
    'here: table, 1 columns, 0 rows',
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

test('S76 a schema that somebody else changes is seen by the next query', async () => {
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
  test('S76 S80 every answer to a crowd is of one commit, and of none older than the last one when it was asked', async () => {
    using workspace = new Workspace('CREATE TABLE p(a, b); INSERT INTO p VALUES (0, 0)', { wal });
    await using client = await workspace.connect();
    using other = new OtherProcess(workspace.path);
    const commits = 40;
    let committed = 0;
    const reader = async () => {
      while (committed < commits) {
        const least = committed;
        const { structuredContent } = await client.callTool('query', { sql: 'SELECT * FROM p' });
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

  test('S77 a file that is put in its place is read instead', async () => {
    using workspace = new Workspace(shopOf('old'), { wal });
    await using client = await workspace.connect({ allowWrite: true });
    const word = () => workspace.rows(client, 'SELECT word FROM w');
    expect(await word()).toEqual([['old']]);
    await client.callTool('write', { sql: "UPDATE w SET word = 'older'" });
    const fresh = workspace.make(join(workspace.outside, 'new.db'), shopOf('new'), { wal });
    for (const suffix of ['-wal', '-shm']) rmSync(workspace.path + suffix, { force: true });
    renameSync(fresh, workspace.path);
    expect(await word()).toEqual([['new']]);
    await client.callTool('write', { sql: "UPDATE w SET word = 'newer'" });
    expect(await word()).toEqual([['newer']]);
  });
});

function shopOf(word: string): string {
  return `CREATE TABLE w(word); INSERT INTO w VALUES ('${word}')`;
}

test('S78 a link is followed once: what it is turned to later is not read', async () => {
  using workspace = new Workspace();
  const secret = join(workspace.outside, 'secret.db');
  const link = join(workspace.root, 'link.db');
  symlinkSync(workspace.path, link);
  await using client = await workspace.connect({ paths: [link] });
  expect(await workspace.rows(client, 'SELECT count(*) FROM customers')).toEqual([[3]]);
  rmSync(link);
  symlinkSync(secret, link);
  expect(await workspace.rows(client, 'SELECT count(*) FROM customers')).toEqual([[3]]);
  // Where the file itself becomes a link, that is no regular file any more.
  rmSync(workspace.path);
  symlinkSync(secret, workspace.path);
  expect(await workspace.say(client, 'query', { sql: 'SELECT * FROM secret' })).toContain(
    'Not a regular file',
  );
});

test('S78 links in a circle, hard links and odd paths', async () => {
  using workspace = new Workspace();
  const circle = join(workspace.root, 'circle.db');
  symlinkSync(circle, circle);
  expect(await problem(() => workspace.connect({ paths: [circle] }))).toBe(`Links in a circle: "${circle}"`);
  for (const path of [
    `${workspace.path}\0`,
    `${workspace.path}%00`,
    `file:${workspace.path}`,
    `file://${workspace.path}?mode=rwc`,
  ]) {
    expect(await problem(() => workspace.connect({ paths: [path] }))).toContain('No such database');
  }
  const hard = join(workspace.root, 'hard.db');
  linkSync(workspace.path, hard);
  const spaced = join(workspace.root, 'shop.db ');
  copyFileSync(workspace.path, spaced);
  expect(await problem(() => workspace.connect({ paths: [spaced] }))).toContain(
    'The name ends with white space',
  );
  const odd = workspace.putDatabase("it's 100% #1?.db", 'CREATE TABLE t(x)');
  await using client = await workspace.connect({ paths: [hard, odd] });
  expect(
    await workspace.say(client, 'query', { sql: 'SELECT count(*) FROM customers', database: 'hard' }),
  ).toContain('| 3 |');
  const listed = await client.listResources();
  const uri = listed.find(({ name }) => name.endsWith(': t'))!.uri;
  expect((await client.readResource(uri)).contents).toMatchObject([{ mimeType: 'application/json' }]);
});

test('S79 a database that is deleted while open is gone, and read again when it is back', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  const count = { sql: 'SELECT count(*) FROM customers', format: 'csv' };
  expect(await workspace.say(client, 'query', count)).toBe('count(*)\n3');
  const kept = readFileSync(workspace.path);
  rmSync(workspace.path);
  expect(await workspace.say(client, 'query', count)).toBe(
    'ERROR SQLITE_CANTOPEN: No such database: "/root/shop.db"',
  );
  writeFileSync(workspace.path, kept);
  expect(await workspace.say(client, 'query', count)).toBe('count(*)\n3');
});

test('S79 what cannot be written is undone, and the next statement goes on', async () => {
  using workspace = new Workspace('CREATE TABLE t(v); INSERT INTO t VALUES (1)');
  // The largest file that the program may write, in blocks of 512 bytes; a full disk is told much alike.
  const limited = `trap '' XFSZ; ulimit -f 200; exec "$0" "$@"`;
  const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));
  const server = spawnServer({
    command: '/bin/sh',
    args: ['-c', limited, process.execPath, program, '--allow-write', workspace.path],
    env: { XDG_CACHE_HOME: workspace.outside },
  });
  await using client = await Client.connect(server.channel);
  const write = (sql: string) => workspace.say(client, 'write', { sql });
  expect(await write('INSERT INTO t VALUES (zeroblob(1000000))')).toMatch(
    /^ERROR SQLITE_(?:FULL|IOERR_WRITE): /,
  );
  expect(await write('INSERT INTO t VALUES (2)')).toContain('Changed 1 row');
  expect(await workspace.rows(client, 'SELECT v FROM t')).toEqual([[1], [2]]);
  expect(await workspace.rows(client, 'SELECT * FROM pragma_integrity_check')).toEqual([['ok']]);
});

test.each([{ wal: false }, { wal: true }])(
  'S80 pages of a query are of one commit, and pages of a table fit together while others write (WAL: $wal)',
  async ({ wal }) => {
    using workspace = new Workspace(rows(250), { wal });
    await using client = await workspace.connect();
    const sql = 'SELECT id FROM t ORDER BY id DESC';
    const page = async (cursor?: string) => {
      const { structuredContent, content } = await client.callTool('query', { sql, limit: 100, cursor });
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
    expect((await page('x')).text).toContain('Not a cursor: "x"');
    const { content } = await client.callTool('query', { sql: 'SELECT 1', cursor: first.next });
    expect((content[0] as { text: string }).text).toContain('The cursor is of another query');

    const table = async (uri: string) => {
      const { contents } = await client.readResource(uri);
      return JSON.parse((contents[0] as { text: string }).text) as { rows: number[][]; nextCursor?: string };
    };
    const uri = 'sqlite://shop/table/t/rows?limit=100';
    const rowsBefore = await table(uri);
    using other = new OtherProcess(workspace.path);
    await other.run("DELETE FROM t WHERE id IN (50, 150); INSERT INTO t(id, v) VALUES (0, 'before')");
    expect((await page(first.next)).text).toBe(
      'The cursor is stale: the database has changed since the page before\n' +
        'Ask again without cursor; page by a key (WHERE id > ? ORDER BY id) to go on while others write',
    );
    const rowsAfter = await table(`${uri}&cursor=${rowsBefore.nextCursor}`);
    expect(rowsBefore.rows.at(-1)?.[0]).toBe(100);
    expect([rowsAfter.rows[0]?.[0], rowsAfter.rows.at(-1)?.[0], rowsAfter.rows.length]).toEqual([
      101, 201, 100,
    ]);
    // A transaction that is undone is no change.
    const again = await page();
    await other.run('BEGIN; DELETE FROM t; ROLLBACK');
    expect((await page(again.next)).rows).toHaveLength(100);
    // Nor is it one that a log goes into its database.
    await other.run('CREATE TABLE u(x)');
    const before = await page();
    await other.run('PRAGMA wal_checkpoint');
    expect((await page(before.next)).rows).toHaveLength(100);
    // Once nobody has it open, there is no log to tell of what was committed.
    other[Symbol.dispose]();
    await endReaders(client, workspace);
    const alone = await page();
    await endReaders(client, workspace);
    workspace.make(workspace.path, "UPDATE t SET v = 'other' WHERE id = 1");
    expect((await page(alone.next)).text).toContain('The cursor is stale');
  },
);

/** Ends the process that reads, and waits until nobody has the database open. */
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
  'S80 every commit is seen of others that come and go (WAL: $wal)',
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
  ['a rowid that is not shown', 'CREATE TABLE t(a TEXT, b INT)', ['a', 'b']],
  ['a column called rowid', 'CREATE TABLE t(a TEXT, b INT, rowid TEXT)', ['a', 'b']],
  ['a view', 'CREATE TABLE s(a TEXT, b INT); CREATE VIEW t AS SELECT * FROM s', ['a', 'b']],
])('S80 the rows of a table with %s come each once', async (_, sql, columns) => {
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

test.each([
  [
    'a key that tells apart what its column does not',
    "CREATE TABLE t(k TEXT COLLATE NOCASE, PRIMARY KEY (k COLLATE BINARY)) WITHOUT ROWID; INSERT INTO t VALUES ('a'), ('A'), ('b'), ('B')",
  ],
  [
    'such a key beside a rowid',
    "CREATE TABLE t(k TEXT NOT NULL COLLATE NOCASE, PRIMARY KEY (k COLLATE BINARY)); INSERT INTO t VALUES ('a'), ('A'), ('b'), ('B')",
  ],
  [
    'a key that is not UTF-8',
    "CREATE TABLE t(k TEXT NOT NULL PRIMARY KEY); INSERT INTO t VALUES ('a'), (CAST(x'62ff' AS TEXT)), ('c'), ('d')",
  ],
])('S80 the rows of a table with %s come each once, and each by its key', async (_, sql) => {
  using workspace = new Workspace(sql);
  await using client = await workspace.connect();
  const read = async (uri: string) => {
    const { contents } = await client.readResource(uri);
    return JSON.parse((contents[0] as { text: string }).text) as Record<string, never>;
  };
  const seen: unknown[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(
      `sqlite://shop/table/t/rows?limit=1${cursor === undefined ? '' : `&cursor=${cursor}`}`,
    );
    const [[key]] = page['rows']! as [[unknown]];
    seen.push(key);
    const { row } = await read(`sqlite://shop/row/t/${encodeURIComponent(JSON.stringify([key]))}`);
    expect(row).toEqual({ k: key });
    cursor = page['nextCursor'];
  } while (cursor !== undefined);
  expect(new Set(seen).size).toBe(4);
  expect(seen).toHaveLength(4);
});

test('S80 the pages of a view are of one commit', async () => {
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

test('two processes that write the same WAL database lose nothing', { timeout: 120_000 }, async () => {
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
