import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
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
import { expect, test } from 'vitest';
import { OtherProcess } from './database-process.ts';
import { problem, shareProcesses, Workspace } from './workspace.ts';

shareProcesses();

const rows = (count: number) =>
  `CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT);
   INSERT INTO t(v) WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT ${count}) SELECT printf('%0200d', x) FROM c;`;

test('a missing path is refused at start, and no file is created', async () => {
  using workspace = new Workspace();
  const before = workspace.disk;
  for (const path of ['missing.db', 'missing/parent.db', 'shop.db/x', ':memory:', '']) {
    const told = await problem(() => workspace.connect({ paths: [join(workspace.root, path || 'no.db')] }));
    expect(told, path).toContain('No such database: ');
  }
  expect(workspace.disk).toBe(before);
});

test('a directory, a FIFO and a device are refused, at start and later', async () => {
  using workspace = new Workspace();
  const pipe = join(workspace.root, 'pipe.db');
  execFileSync('mkfifo', [pipe]);
  for (const path of [workspace.root, pipe, '/dev/zero']) {
    expect(await problem(() => workspace.connect({ paths: [path] }))).toBe(`Not a regular file: "${path}"`);
  }
  // A FIFO or directory is refused, too, if it replaces the database while the server runs.
  await using client = await workspace.connect();
  rmSync(workspace.path);
  execFileSync('mkfifo', [workspace.path]);
  expect(await workspace.say(client, 'query', { sql: 'SELECT 1' })).toContain('Not a regular file');
  rmSync(workspace.path);
  mkdirSync(workspace.path);
  expect(await workspace.say(client, 'list_tables')).toContain('Not a regular file');
});

test('a file that is not a database is reported, and an empty file is an empty database', async () => {
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
          'The file is not an SQLite database, or it is encrypted',
      );
    }
  }
  expect(await workspace.say(client, 'list_tables', { database: 'empty' })).toBe('No tables');
  expect(workspace.disk).toBe(before);
});

test('a damaged or truncated database returns an error and no rows', async () => {
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
      format: 'json',
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

test('a WAL database in a read-only directory is read where it has no WAL', async (context) => {
  context.skip(
    !mayRun(`require('node:fs').accessSync(${JSON.stringify(program)})`),
    'Another user may not read the program',
  );
  using workspace = new Workspace(rows(3), { wal: true });
  const logged = workspace.putDatabase('logged.db', 'CREATE TABLE t(x)');
  using other = new OtherProcess(logged);
  await other.run('PRAGMA journal_mode = WAL; INSERT INTO t VALUES (1)');
  const ended = join(workspace.root, 'ended.db');
  copyFileSync(logged, ended);
  copyFileSync(`${logged}-wal`, `${ended}-wal`);
  const before = workspace.disk;
  await using client = await connectReadOnlyUser(workspace, [workspace.path, logged, ended]);
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
    'Insights are stored in a file beside the database',
  );
  expect(workspace.disk).toBe(before);
});

const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));
/** Code by which root becomes another user. */
const become =
  process.getuid?.() === 0 ? 'process.setgroups([]); process.setgid(65534); process.setuid(65534);' : '';

/** Whether code runs without an error as another user. */
function mayRun(code: string): boolean {
  return spawnSync(process.execPath, ['-e', `${become} ${code}`], { stdio: 'ignore' }).status === 0;
}

/** A client of the built program, run as a user who may only read here. */
async function connectReadOnlyUser(workspace: Workspace, paths: readonly string[]): Promise<Client> {
  workspace.letOthersRead();
  // The files that SQLite keeps beside the databases, such as a WAL, are read-only too.
  for (const name of readdirSync(workspace.root)) chmodSync(join(workspace.root, name), 0o444);
  chmodSync(workspace.root, 0o555);
  const code = `${become} process.argv.splice(1, 0, ''); require(${JSON.stringify(program)})`;
  const server = spawnServer({ command: process.execPath, args: ['-e', code, '--', ...paths] });
  return Client.connect(server.channel);
}

test('a hot journal is reported by a reader and rolled back by a writer', async () => {
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
      'Another process was interrupted while writing, and the database is read-only here, so it cannot be repaired: open it once with a program that may write to it',
  );
  expect(workspace.disk).toBe(before);
  await using writer = await workspace.connect({ allowWrite: true });
  await writer.callTool('write', { sql: 'CREATE TABLE u(x)' });
  expect(await workspace.rows(reader, "SELECT count(*), sum(v = 'changed') FROM t")).toEqual([[2_000, 0]]);
});

test.each([{ wal: false }, { wal: true }])(
  'a file that replaces the database is read instead (WAL: $wal)',
  async ({ wal }) => {
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
  },
);

function shopOf(word: string): string {
  return `CREATE TABLE w(word); INSERT INTO w VALUES ('${word}')`;
}

test('a symlink is resolved once, and a later target is not read', async () => {
  using workspace = new Workspace();
  const secret = join(workspace.outside, 'secret.db');
  const link = join(workspace.root, 'link.db');
  symlinkSync(workspace.path, link);
  await using client = await workspace.connect({ paths: [link] });
  expect(await workspace.rows(client, 'SELECT count(*) FROM customers')).toEqual([[3]]);
  rmSync(link);
  symlinkSync(secret, link);
  expect(await workspace.rows(client, 'SELECT count(*) FROM customers')).toEqual([[3]]);
  // A database that becomes a symlink is no regular file any more.
  rmSync(workspace.path);
  symlinkSync(secret, workspace.path);
  expect(await workspace.say(client, 'query', { sql: 'SELECT * FROM secret' })).toContain(
    'Not a regular file',
  );
});

test('symlink loops, hard links and unusual paths', async () => {
  using workspace = new Workspace();
  const circle = join(workspace.root, 'circle.db');
  symlinkSync(circle, circle);
  expect(await problem(() => workspace.connect({ paths: [circle] }))).toBe(
    `Too many levels of symbolic links: "${circle}"`,
  );
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
    'The file name begins or ends with white space',
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

test('a deleted database is reported missing, and read again when it is restored', async () => {
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

test('a write that exceeds the file size limit is rolled back, and the next one succeeds', async () => {
  using workspace = new Workspace('CREATE TABLE t(v); INSERT INTO t VALUES (1)');
  // The file size limit, in blocks of 512 bytes; a full disk gives a similar error.
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

test.each([
  [
    'a key with another collation than its column',
    "CREATE TABLE t(k TEXT COLLATE NOCASE, PRIMARY KEY (k COLLATE BINARY)) WITHOUT ROWID; INSERT INTO t VALUES ('a'), ('A'), ('b'), ('B')",
  ],
  [
    'such a key and a rowid',
    "CREATE TABLE t(k TEXT NOT NULL COLLATE NOCASE, PRIMARY KEY (k COLLATE BINARY)); INSERT INTO t VALUES ('a'), ('A'), ('b'), ('B')",
  ],
  [
    'a key that is not UTF-8',
    "CREATE TABLE t(k TEXT NOT NULL PRIMARY KEY); INSERT INTO t VALUES ('a'), (CAST(x'62ff' AS TEXT)), ('c'), ('d')",
  ],
])('pages contain each row of a table with %s once, and each row is found by its key', async (_, sql) => {
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
