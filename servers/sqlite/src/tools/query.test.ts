import { expect, test } from 'vitest';
import { shareProcesses, Workspace } from '../../test/workspace.ts';

shareProcesses();

test('returns the rows as text, or exactly as structured content', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  const args = {
    sql: 'SELECT name, city, id * 1.5 AS score FROM customers WHERE id < :limit ORDER BY id',
    params: { limit: 4 },
  };
  const asText = await client.callTool('query', args);
  expect(asText).not.toHaveProperty('structuredContent');
  expect(asText.content).toEqual([
    {
      type: 'text',
      text:
        '| name | city | score |\n|---|---|---|\n| Ada | Oslo | 1.5 |\n| Ben | Turin | 3.0 |\n' +
        '| Chiara | NULL | 4.5 |',
    },
  ]);
  const { content, structuredContent } = await client.callTool('query', { ...args, format: 'json' });
  expect(content).toEqual([{ type: 'text', text: '3 rows as JSON' }]);
  expect(structuredContent).toEqual({
    columns: [
      { name: 'name', type: 'TEXT', table: 'customers' },
      { name: 'city', type: 'TEXT', table: 'customers' },
      { name: 'score' },
    ],
    rows: [
      ['Ada', 'Oslo', 1.5],
      ['Ben', 'Turin', 3],
      ['Chiara', null, 4.5],
    ],
    rowCount: 3,
    truncated: false,
    elapsedMs: expect.any(Number),
  });
});

test('an answer advises to raise limit only where that is possible', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({ maxRows: 120 });
  const sql = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c LIMIT 1000';
  const note = async (tool: string, args: object) =>
    (await workspace.say(client, tool, { ...args }))
      .split('\n\n')
      .at(-1)!
      .replace(/"[^"]+"$/, '…');
  expect(await note('query', { sql })).toBe(
    '100 rows; there are more: raise limit, or continue with cursor …',
  );
  for (const limit of [120, 1_000]) {
    expect(await note('query', { sql, limit })).toBe('120 rows; there are more: continue with cursor …');
  }
  expect(await note('read_query', { query: sql })).toBe(
    '120 rows; there are more: continue with the tool query and cursor …',
  );
  const cursor = /"([^"]+)"$/.exec(await workspace.say(client, 'read_query', { query: sql }))![1];
  expect(await workspace.say(client, 'query', { sql, cursor, limit: 1, format: 'csv' })).toMatch(/^x\n121\n/);
});

test('a long query reports progress in seconds', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  const sql = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c';
  const reports: unknown[] = [];
  await client.callTool(
    'query',
    { sql, timeout_ms: 2_500 },
    { onProgress: (done, total, message) => void reports.push([done, total, message]) },
  );
  expect(reports).toEqual([1, 2].map((seconds) => [seconds, 2.5, `${seconds} s`]));
});
