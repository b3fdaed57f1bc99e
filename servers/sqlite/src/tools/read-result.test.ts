import { viewMimeType } from '@mcp/views';
import { expect, test } from 'vitest';
import { shareProcesses, Workspace } from '../../test/workspace.ts';

shareProcesses();

test('a client that shows views finds the page of queries, descriptions and writes, and reads it', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({ allowWrite: true, shows: true });
  const tools = await client.listTools();
  const views = tools.flatMap(({ name, _meta }) => (_meta?.['ui'] ? [[name, _meta['ui']]] : []));
  expect(views).toEqual([
    ['query', { resourceUri: 'ui://sqlite/database' }],
    ['describe_table', { resourceUri: 'ui://sqlite/database' }],
    ['write', { resourceUri: 'ui://sqlite/database' }],
    ['read_result', { visibility: ['app'] }],
    ['read_schema', { visibility: ['app'] }],
  ]);
  const { contents } = await client.readResource('ui://sqlite/database');
  expect(contents).toMatchObject([
    { mimeType: viewMimeType, text: expect.stringMatching(/^<!doctype html>/) },
  ]);
  // The limit of the page is 80 kB; it loads nothing else.
  const { text } = contents[0] as { text: string };
  expect(Buffer.byteLength(text)).toBeLessThan(80_000);
  expect(text).not.toMatch(/\b(?:src|href)="|innerHTML|\beval\b|\bFunction\(|<form/);
});

test('it sorts, filters and counts by indexes of columns, with the parameters of the query', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({ shows: true });
  const read = async (args: object) => {
    const { structuredContent } = await client.callTool('read_result', {
      query: 'SELECT id, name AS id, city FROM customers WHERE id < ?',
      params: [9],
      ...args,
    });
    return (structuredContent as { rows: unknown }).rows;
  };
  const filters = [{ column: 1, operator: 'contains', value: 'A' }];
  expect(await read({ filters, sort: { column: 1, descending: true }, columns: [1, 2] })).toEqual([
    ['Chiara', null],
    ['Ada', 'Oslo'],
  ]);
  expect(await read({ filters, counts: true })).toEqual([[2]]);
  expect(await read({ every: 2 })).toEqual([
    [1, 'Ada', 'Oslo'],
    [3, 'Chiara', null],
  ]);
});

test('it cuts long values, unless it is asked for whole ones, and marks whole reals', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({ shows: true });
  const sql = "SELECT 2.0, printf('%.*c', 3000, 'x')";
  const read = async (args: object) =>
    ((await client.callTool('read_result', { sql, ...args })).structuredContent as { rows: unknown }).rows;
  expect(await read({})).toEqual([
    [{ $real: '2.0' }, { $cut: 'x'.repeat(1_000), bytes: 3_000, type: 'text' }],
  ]);
  expect(await read({ columns: [1], whole: true })).toEqual([['x'.repeat(3_000)]]);
});

test('it only reads', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({ allowWrite: true, shows: true });
  expect(await workspace.say(client, 'read_result', { sql: 'DELETE FROM orders' })).toMatch(
    /^ERROR Only SELECT, WITH and VALUES can be run here, not "DELETE"/,
  );
});

test('the schema has the columns, the foreign keys and the name of the database', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({ shows: true });
  const { structuredContent } = await client.callTool('read_schema', {});
  expect(structuredContent).toMatchObject({
    database: 'shop',
    total: 2,
    tables: [
      { name: 'customers', rows: 3, details: [{ name: 'id', primaryKey: 1 }, { name: 'name' }, {}] },
      { name: 'orders', foreignKeys: [{ columns: ['customer_id'], table: 'customers', to: ['id'] }] },
    ],
  });
});

test('a write that a view shows has its facts, and the question that was confirmed', async () => {
  using workspace = new Workspace();
  const elicit = async () => ({ action: 'accept' as const, content: { confirm: true } });
  await using showing = await workspace.connect({ allowWrite: true, shows: true, elicit });
  await using other = await workspace.connect({ allowWrite: true, elicit });
  const sql = 'UPDATE orders SET total = total + 1';
  const result = await showing.callTool('write', { sql });
  expect(result).toMatchObject({
    structuredContent: { dryRun: false, results: [{ changes: 3 }], isFinal: false },
    _meta: { 'io.github.mcp-reference/confirmed': expect.stringContaining('Change all 3 rows of "orders"') },
  });
  const { structuredContent, content } = await other.callTool('write', { sql });
  expect(structuredContent).toBeUndefined();
  expect(content).toHaveLength(result.content.length);
});
