import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@mcp/protocol/client';
import { spawnServer } from '@mcp/protocol/stdio';
import { conversation } from '@mcp/test-kit';
import { expect, test, vi } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

// The tests export many rows, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const program = fileURLToPath(new URL('../../dist/main.cjs', import.meta.url));

test('exports all rows into a new file inside the export directory, and overwrites none', async () => {
  using workspace = new Workspace(
    `CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t(v) VALUES ('a,"b"'), (NULL), (x'00ff'), (9007199254740993)`,
  );
  await using client = await workspace.connect({ exportDirectory: workspace.outside });
  const exported = (path: string, format: string, sql = 'SELECT v, v FROM t') =>
    workspace.say(client, 'export', { sql, path, format });
  expect(await exported('t.csv', 'csv')).toBe('Exported 4 rows, 81 bytes, to "/outside/t.csv"');
  expect(readFileSync(join(workspace.outside, 't.csv'), 'utf8')).toBe(
    'v,v\r\n"a,""b""","a,""b"""\r\n,\r\nx\'00ff\',x\'00ff\'\r\n9007199254740993,9007199254740993\r\n',
  );
  await exported('t.jsonl', 'jsonl', 'SELECT v, v FROM t LIMIT 1 OFFSET 3');
  expect(readFileSync(join(workspace.outside, 't.jsonl'), 'utf8')).toBe(
    '{"v":{"$int":"9007199254740993"},"v_2":{"$int":"9007199254740993"}}\n',
  );
  expect(await exported('t.csv', 'csv')).toContain('File exists: "t.csv"');
  expect(await exported('../root/t.csv', 'csv')).toContain('Outside the export directory');
  symlinkSync(workspace.root, join(workspace.outside, 'link'));
  expect(await exported('link/t.csv', 'csv')).toContain('Outside the export directory');
  expect(await exported('u.csv', 'csv', 'SELECT abs(-9223372036854775808)')).toContain('integer overflow');
  expect(await exported('u.csv', 'csv', 'PRAGMA journal_mode = WAL')).toContain('Only SELECT');
  expect(readdirSync(workspace.outside).toSorted()).toEqual(['link', 'secret.db', 't.csv', 't.jsonl']);
});

test('an export contains every value without loss', async () => {
  using workspace = new Workspace(
    `CREATE TABLE t(v); INSERT INTO t WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 20000) SELECT 'value ' || x FROM c;
     INSERT INTO t VALUES (CAST(x'ff41fe' AS TEXT))`,
  );
  await using client = await workspace.connect({ exportDirectory: workspace.outside });
  const exported = async (path: string, sql: string) => {
    await client.callTool('export', { sql, path, format: path.split('.')[1] });
    return readFileSync(join(workspace.outside, path), 'utf8');
  };
  // The text that is not UTF-8 comes after 20,000 rows: the export must start again to write it exactly.
  const lines = (await exported('a.csv', 'SELECT v FROM t')).split('\r\n');
  expect([lines.length, lines[1], lines[20_001]]).toEqual([20_003, 'value 1', '"{""$text"":""ff41fe""}"']);
  expect(await exported('b.jsonl', "SELECT CAST(x'ff' AS TEXT) AS v")).toBe('{"v":{"$text":"ff"}}\n');
  expect(await exported('c.csv', 'SELECT 1.0, 1, 9e999, 1e300')).toBe(
    '1.0,1,9e999,1e300\r\n1.0,1,Infinity,1e+300\r\n',
  );
  expect(await exported('d.jsonl', 'SELECT 1 AS a, 2 AS a_2, 3 AS a, 4 AS a')).toBe(
    '{"a":1,"a_2":2,"a_3":3,"a_4":4}\n',
  );
  expect(await workspace.say(client, 'query', { sql: 'SELECT 1 AS a, 2 AS a', format: 'jsonl' })).toBe(
    '{"a":1,"a_2":2}',
  );
});

test('an export reports progress, and leaves no file when it is cancelled', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({ exportDirectory: workspace.outside });
  const cancel = new AbortController();
  const sql = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c';
  const rows: number[] = [];
  const exported = client.callTool(
    'export',
    { sql, path: 'endless.csv', format: 'csv' },
    {
      signal: cancel.signal,
      onProgress: (done) => {
        rows.push(done);
        if (rows.length === 3) cancel.abort();
      },
    },
  );
  await expect(exported).rejects.toThrow();
  expect(rows).toEqual(rows.toSorted((a, b) => a - b));
  expect(await workspace.rows(client, 'SELECT 1')).toEqual([[1]]);
  await expect.poll(() => readdirSync(workspace.outside)).toEqual(['secret.db']);
});

test('an export or a query that is restarted contains every row once', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({
    exportDirectory: workspace.outside,
    maxBytes: 1024 * 1024 * 1024,
  });
  const numbers = (count: number) =>
    `WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT ${count})`;
  const among = async <Result>(work: Promise<Result>): Promise<Result> => {
    let done = false;
    const others = (async () => {
      while (!done) await workspace.rows(client, 'SELECT 1');
    })();
    await work.finally(() => (done = true));
    await others;
    return work;
  };
  for (const round of [1, 2]) {
    const path = `${round}.csv`;
    const sql = `${numbers(200_000)} SELECT x FROM c`;
    await among(client.callTool('export', { sql, path, format: 'csv' }));
    const lines = readFileSync(join(workspace.outside, path), 'utf8').split('\r\n');
    expect(lines).toHaveLength(200_002);
    expect([lines[1], lines.at(-2)]).toEqual(['1', '200000']);
  }
  const sql = `${numbers(600)} SELECT x, printf('%0100000d', x) FROM c`;
  const { structuredContent } = await among(client.callTool('query', { sql, limit: 1_000, format: 'json' }));
  const { rows } = structuredContent as { rows: unknown[][] };
  expect(rows.map(([x]) => x)).toEqual(Array.from({ length: 600 }, (_, index) => index + 1));
});

test('an export that exceeds the file size limit fails, and leaves no file', async () => {
  using workspace = new Workspace();
  const limited = `trap '' XFSZ; ulimit -f 200; exec "$0" "$@"`;
  const server = spawnServer({
    command: '/bin/sh',
    args: ['-c', limited, process.execPath, program, '--export', workspace.outside, workspace.path],
    env: { XDG_CACHE_HOME: workspace.outside },
  });
  await using client = await Client.connect(server.channel);
  const sql = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c';
  const args = { sql, path: 'endless.csv', format: 'csv' };
  expect(await workspace.say(client, 'export', args)).toBe(
    'ERROR Cannot write "endless.csv": EFBIG: file too large\nNothing was exported',
  );
  expect(await workspace.rows(client, 'SELECT 1')).toEqual([[1]]);
  expect(readdirSync(workspace.outside).filter((name) => name.includes('endless'))).toEqual([]);
});

test('an export takes no name that SQLite or this server uses beside a database', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({ exportDirectory: workspace.root });
  const before = workspace.disk;
  for (const path of [
    'shop.db-journal',
    'shop.db-wal',
    'SHOP.DB-SHM',
    'x.db-journal',
    'shop.db.insights.jsonl',
  ]) {
    expect(await workspace.say(client, 'export', { sql: 'SELECT 1', path, format: 'csv' })).toBe(
      `ERROR Reserved file name: "${path}"\nFiles with such names belong to the database beside them; choose another name`,
    );
  }
  expect(workspace.disk).toBe(before);
  expect(await workspace.rows(client, 'SELECT count(*) FROM customers')).toEqual([[3]]);
});

test('SIGTERM leaves no partial export', async () => {
  using workspace = new Workspace();
  const child = spawn(process.execPath, [program, '--export', workspace.outside, workspace.path], {
    stdio: 'pipe',
  });
  const sql = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c';
  child.stdin.write(
    conversation(['tools/call', { name: 'export', arguments: { sql, path: 'x.csv', format: 'csv' } }]),
  );
  await expect.poll(() => readdirSync(workspace.outside).length, { timeout: 60_000 }).toBe(2);
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
  expect(readdirSync(workspace.outside)).toEqual(['secret.db']);
});

test('the file of an export whose server was killed is deleted by the next one', async () => {
  using workspace = new Workspace();
  const child = spawn(process.execPath, [program, '--export', workspace.outside, workspace.path], {
    stdio: 'pipe',
  });
  const sql = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c';
  const files = () => readdirSync(workspace.outside).filter((name) => name !== 'secret.db');
  child.stdin.write(
    conversation(['tools/call', { name: 'export', arguments: { sql, path: 'x.csv', format: 'csv' } }]),
  );
  await expect.poll(files, { timeout: 60_000 }).toHaveLength(1);
  const [left = ''] = files();
  await using client = await workspace.connect({ exportDirectory: workspace.outside });
  const others = ['.x.csv.mine', `${left}.mine`, '.y.csv.0-1--0.tmp'];
  for (const name of others) writeFileSync(join(workspace.outside, name), 'mine');
  const exported = (path: string) =>
    workspace.say(client, 'export', { sql: 'SELECT 1', path, format: 'csv' });
  expect(await exported('while-it-runs.csv')).toMatch(/^Exported 1 row/);
  expect(files()).toContain(left);
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
  expect(await exported('after.csv')).toMatch(/^Exported 1 row/);
  expect(files().toSorted()).toEqual([...others, 'after.csv', 'while-it-runs.csv'].toSorted());
});

test('a Markdown file has every value in full, and no value makes a cell or a row', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({ exportDirectory: workspace.outside });
  const sql = `SELECT 'a|b' AS "x|y", 'line
break' AS t, NULL AS n, x'00ff' AS b, 1.0 AS r, printf('%.*c', 5000, 'z') AS long`;
  expect(await workspace.say(client, 'export', { path: 'a.md', sql, format: 'md' })).toMatch(
    /^Exported 1 row, \d+ bytes, to "/,
  );
  expect(readFileSync(join(workspace.outside, 'a.md'), 'utf8')).toBe(
    '| x\\|y | t | n | b | r | long |\n|---|---|---|---|---|---|\n' +
      `| a\\|b | line\\nbreak | NULL | x'00ff' | 1.0 | ${'z'.repeat(5_000)} |\n`,
  );
});
