import { expect, test, vi } from 'vitest';
import { big } from './big-table.ts';
import { Workspace } from './workspace.ts';

// The tests compute values of many megabytes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

test('a value that is too large is an error of SQLite, too much memory an error of the server', async () => {
  using workspace = new Workspace(big);
  await using client = await workspace.connect({ maxMemory: 192 * 1024 * 1024 });
  const say = (sql: string) => workspace.say(client, 'query', { sql });
  for (const sql of [
    'SELECT randomblob(1000000000)',
    'SELECT zeroblob(1e9)',
    "SELECT printf('%.*c', 1000000000, 'x')",
  ]) {
    expect(await say(sql), sql).toMatch(/^ERROR SQLITE_(?:TOOBIG|NOMEM): /);
  }
  for (const sql of [
    'SELECT length(hex(randomblob(250000000)))',
    "SELECT length(group_concat(hex(randomblob(20000)), '')) FROM big",
    'SELECT json_group_array(hex(randomblob(20000))) FROM big',
  ]) {
    expect(await say(sql), sql).toMatch(/^ERROR SQLITE_(?:NOMEM|TOOBIG): /);
    expect(await workspace.rows(client, 'SELECT 1')).toEqual([[1]]);
  }
});

test('a large value is cut, with its length', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({ maxMemory: 2 ** 31 });
  expect(await workspace.rows(client, "SELECT zeroblob(20000000), printf('%.*c', 20000000, 'é')")).toEqual([
    [
      { $cut: '00'.repeat(64), bytes: 20_000_000, type: 'blob' },
      { $cut: 'é'.repeat(1_000), bytes: 40_000_000, type: 'text' },
    ],
  ]);
  expect(await workspace.say(client, 'query', { sql: 'SELECT zeroblob(200000000)' })).toContain(
    '(200000000 bytes)',
  );
});

test('finished statements release their memory', async () => {
  using workspace = new Workspace();
  // Until V8 collects everything, the process uses up to 200 MB; statements that are not
  // freed need 210 MB more.
  await using client = await workspace.connect({ maxMemory: 300 * 1024 * 1024 });
  const sum = Array.from({ length: 400 }, () => 'abs(id)').join(' + ');
  // A query waits at most 30 seconds for those before it.
  for (let round = 0; round < 10; round++) {
    const each = Array.from({ length: 200 }, (_, index) => round * 200 + index);
    await Promise.all(
      each.map((index) => workspace.rows(client, `SELECT ${index}, ${sum} FROM customers WHERE id = 1`)),
    );
  }
  // Long enough for the memory of its process to be checked.
  const count =
    'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 4000000) SELECT count(*) FROM c';
  expect(await workspace.rows(client, count)).toEqual([[4_000_000]]);
});

test('PRAGMA hard_heap_limit is refused', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'query', { sql: 'PRAGMA hard_heap_limit=10000000' })).toMatch(
    /^ERROR Only/,
  );
});

test('many rows, many columns and long rows stay within the limits', async () => {
  using workspace = new Workspace(big);
  await using client = await workspace.connect({ maxBytes: 64 * 1024 });
  const call = async (sql: string) => {
    const result = await client.callTool('query', { sql, limit: 1_000_000, format: 'json' });
    return { ...result, length: JSON.stringify(result.structuredContent ?? null).length };
  };
  const many = await call("SELECT '' FROM big a, big b");
  expect(many.structuredContent).toMatchObject({ rowCount: 10_000, truncated: true });
  const rows = await call('SELECT * FROM big');
  expect(rows.structuredContent).toMatchObject({ truncated: true });
  expect(rows.length).toBeLessThan(66 * 1024);
  const columns = await call(
    `SELECT ${Array.from({ length: 2_000 }, (_, index) => `1 AS c${index}`).join(', ')}`,
  );
  expect(columns.structuredContent).toMatchObject({ rowCount: 1, columns: { length: 2_000 } });
  const long = await call(
    `SELECT ${Array.from({ length: 10 }, () => "printf('%.*c', 10000, 'x')").join(', ')}`,
  );
  expect(long.isError).toBe(true);
  expect(long.content).toEqual([
    {
      type: 'text',
      text: 'One row exceeds 65536 bytes\nSelect fewer columns, or parts of values with substr()',
    },
  ]);
});

test('a large answer is complete, also when its last text is not UTF-8', async () => {
  using workspace = new Workspace(`${big} INSERT INTO big(v) VALUES (CAST(x'ff' AS TEXT));`);
  await using client = await workspace.connect({ maxRows: 100_000, maxBytes: 100_000_000 });
  const { structuredContent, content } = await client.callTool('query', {
    sql: 'SELECT * FROM big',
    limit: 100_000,
    format: 'json',
  });
  const { rows, rowCount } = structuredContent as { rows: unknown[][]; rowCount: number };
  expect([rows.length, rowCount]).toEqual([20_001, 20_001]);
  expect(rows[19_999]).toEqual([20_000, 'value 20000']);
  expect(rows[20_000]).toEqual([20_001, { $text: 'ff' }]);
  const { text } = content[0] as { text: string };
  expect(text).toBe('20001 rows as JSON');
});

test('a long text ends with a cursor, by which the next rows follow', async () => {
  using workspace = new Workspace(`${big} INSERT INTO big(v) VALUES (CAST(x'ff' AS TEXT));`);
  await using client = await workspace.connect({ maxRows: 100_000 });
  const seen: string[] = [];
  let pages = 0;
  for (let cursor: string | undefined = ''; cursor !== undefined; pages++) {
    const text = await workspace.say(client, 'query', {
      sql: 'SELECT v FROM big WHERE id > 18000',
      limit: 10_000,
      format: 'csv',
      ...(cursor !== '' && { cursor }),
    });
    expect(text.length).toBeLessThan(17_000);
    const [rows = '', note] = text.split('\n\n');
    seen.push(...rows.split('\n').slice(1));
    cursor = /^\d+ rows; there are more: continue with cursor "([^"]+)"$/.exec(note ?? '')?.[1];
  }
  expect([pages, seen.length, seen[0], seen.at(-1)]).toEqual([
    2,
    2_001,
    'value 18001',
    '"{""$text"":""ff""}"',
  ]);
});
