import { expect, test } from 'vitest';
import { problem, shareProcesses, Workspace } from './workspace.ts';

shareProcesses();

const fixture = `
  CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t(v) VALUES ('a'), ('b'), ('c');
  CREATE TABLE big(id INTEGER PRIMARY KEY, v TEXT);
  INSERT INTO big(v) WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 100) SELECT 'v' || x FROM c;
`;

test('a view cannot call functions with side effects', async () => {
  using workspace = new Workspace(
    `${fixture} CREATE VIEW evil AS SELECT fts3_tokenizer('x', x'41'); CREATE VIEW escaping AS SELECT load_extension('x');`,
  );
  await using client = await workspace.connect();
  expect(await problem(() => workspace.rows(client, 'SELECT * FROM evil'))).toMatch(/unsafe use of|disabled/);
  expect(await problem(() => workspace.rows(client, 'SELECT * FROM escaping'))).toMatch(
    /unsafe use of|not authorized/,
  );
});

test('no reading tool reads or creates another file', async () => {
  using workspace = new Workspace(fixture);
  await using client = await workspace.connect({ exportDirectory: workspace.root });
  const before = workspace.disk;
  const secret = `${workspace.outside}/secret.db`;
  for (const sql of [`ATTACH '${secret}' AS o`, `VACUUM INTO '${workspace.root}/copy.db'`]) {
    for (const [tool, args] of [
      ['query', { sql }],
      ['explain', { sql }],
      ['export', { sql, path: 'x.csv', format: 'csv' }],
      ['read_query', { query: sql }],
    ] as const) {
      expect(await workspace.say(client, tool, args), `${tool} ${sql}`).toMatch(/^ERROR Only /);
    }
  }
  expect(workspace.disk).toBe(before);
});

test.each([10, 2_000])(
  '%i rows at most, whatever LIMIT a statement has or seems to have',
  async (maxRows) => {
    using workspace = new Workspace(fixture);
    await using client = await workspace.connect({ maxRows });
    const rows = async (end: string) => {
      const sql = `SELECT b.id AS limit_x FROM big b, big c${end}`;
      const { structuredContent } = await client.callTool('query', {
        sql,
        limit: 100_000,
        format: 'json',
      });
      return structuredContent;
    };
    for (const end of [
      ' LIMIT 0, 100000',
      ' LIMIT -1',
      ' LIMIT (100000)',
      ' LIMIT 100000',
      ' LIMIT 5 + 100000; ',
      ', (SELECT 1 LIMIT 1)',
      ' -- limit 5',
      ' ORDER BY -- limit\n1',
      ' --',
    ]) {
      const expected = { rowCount: maxRows, truncated: true, rows: { length: maxRows } };
      expect(await rows(end), end).toMatchObject(expected);
    }
    for (const end of [' LIMIT 7', ' limit\n7 ;-- 8', ' LIMIT 3, 7', ' LIMIT 7 OFFSET 3']) {
      expect(await rows(end), end).toMatchObject({ rowCount: 7, truncated: false, rows: { length: 7 } });
    }
  },
);
