import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { readQueries } from '@mcp/sqlite-pool';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { reservedNames } from '../src/tools.ts';
import { shareProcesses, Workspace } from './workspace.ts';

shareProcesses();

const wide = Array.from({ length: 1_900 }, (_, index) => `"c${index}${'x'.repeat(300)}" TEXT`).join(', ');
const content = `
  CREATE TABLE t(id INTEGER PRIMARY KEY, v, twice GENERATED ALWAYS AS (id * 2), w TEXT NOT NULL DEFAULT 'x');
  INSERT INTO t(v) VALUES (1.0), (9007199254740993), (x'00ff'), (9e999), (-0.0), (CAST(x'ff' AS TEXT)), (NULL), ('text');
  CREATE INDEX by_v ON t(v, id + 1); CREATE TRIGGER noted AFTER DELETE ON t BEGIN SELECT 1; END;
  CREATE TABLE k(a REFERENCES t(id) ON DELETE CASCADE, b, PRIMARY KEY (a, b)) WITHOUT ROWID;
  CREATE TABLE log(word TEXT); INSERT INTO log VALUES ('x'), ('y');
  CREATE VIEW broken AS SELECT * FROM gone; CREATE VIRTUAL TABLE f USING fts5(body); INSERT INTO f VALUES ('a text');
  CREATE TABLE wide(${wide});
`;
const queries = `{"queries": {
  "words": { "description": "x", "sql": "SELECT word, 1.0 AS one FROM log WHERE word = :word", "params": { "word": { "type": "string" } } },
  "forget": { "description": "x", "write": true, "sql": "DELETE FROM log WHERE word = 'none'" }
}}`;

const calls: readonly (readonly [string, object])[] = [
  ['query', { sql: 'SELECT * FROM t' }],
  ['query', { sql: "SELECT v, printf('%.*c', 30000, 'x') AS long, zeroblob(30000) AS blob FROM t" }],
  ['query', { sql: 'SELECT 1 AS a', compare: 'SELECT 2', format: 'csv' }],
  ['query', { sql: 'SELECT id FROM t', limit: 2 }],
  ['explain', { sql: "SELECT * FROM t WHERE w = 'a' ORDER BY v" }],
  ['explain', { sql: 'SELECT 1' }],
  ['list_tables', {}],
  ['list_tables', { filter: 'logg' }],
  ['describe_table', {}],
  ['describe_table', { table: 't' }],
  ['describe_table', { table: 'k' }],
  ['describe_table', { table: 'broken' }],
  ['describe_table', { table: 'f' }],
  ['describe_table', { table: 'wide' }],
  ['describe_table', { table: 't', profile: true }],
  ['describe_table', { table: 'wide', profile: true }],
  ['search', { text: 'text' }],
  ['search', { text: 'a "text', table: 'f' }],
  ['write', { sql: 'INSERT INTO log VALUES (?) RETURNING *, 2.0', params: ['z'] }],
  [
    'write',
    { sql: "UPDATE log SET word = 'q' WHERE word = 'z'", more: ['CREATE TABLE n(a)'], dry_run: true },
  ],
  ['write', { sql: 'DELETE FROM t' }],
  ['write_query', { query: "INSERT INTO log VALUES ('old')" }],
  ['import', { path: 'a.csv', table: 'a', dry_run: true }],
  ['import', { path: 'a.csv', table: 'a' }],
  ['export', { path: 'log.csv', sql: 'SELECT * FROM log', format: 'csv' }],
  ['export', { path: 'all.db', format: 'db' }],
  ['words', { word: 'x' }],
  ['forget', {}],
];

async function everything(structured: boolean) {
  const workspace = new Workspace(content);
  const file = join(workspace.outside, 'queries.json');
  writeFileSync(file, queries);
  workspace.put('../outside/a.csv', 'x,y\n1,\n');
  const client = await workspace.connect({
    structured,
    allowWrite: true,
    importDirectory: workspace.outside,
    exportDirectory: workspace.outside,
    queries: readQueries(file, reservedNames),
    elicit: async () => ({ action: 'accept', content: { confirm: true } }),
  });
  return { workspace, client };
}

test('with --structured, every answer matches the exact schema that is published', async () => {
  const { workspace, client } = await everything(true);
  using _ = workspace;
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allowUnionTypes: true, allErrors: true });
  const tools = new Map((await client.listTools()).map((tool) => [tool.name, tool]));
  expect([...tools.values()].filter(({ outputSchema }) => !outputSchema).map(({ name }) => name)).toEqual([
    'append_insight',
  ]);
  for (const [name, args] of calls) {
    const result = await client.callTool(name, { ...args });
    const title = `${name} ${JSON.stringify(args)}`;
    expect(result.isError, `${title}: ${JSON.stringify(result.content)}`).not.toBe(true);
    const outputSchema = tools.get(name === 'write_query' ? 'write' : name)!.outputSchema!;
    const validate = ajv.compile(outputSchema);
    expect(validate(result.structuredContent), `${title}: ${JSON.stringify(validate.errors)}`).toBe(true);
    expect(JSON.stringify(result.structuredContent).length, title).toBeLessThanOrEqual(41_000);
  }
});

test('rows are typed and exact, and come once; short facts are text too', async () => {
  const { workspace, client } = await everything(true);
  using _ = workspace;
  const rows = await client.callTool('query', { sql: 'SELECT id, v FROM t WHERE id IN (2, 3)' });
  expect(rows).toMatchObject({
    content: [{ type: 'text', text: '2 rows as JSON' }],
    structuredContent: {
      columns: [
        { name: 'id', type: 'INTEGER', table: 't' },
        { name: 'v', table: 't' },
      ],
      rows: [
        [2, { $int: '9007199254740993' }],
        [3, { $blob: 'AP8=', bytes: 2 }],
      ],
      rowCount: 2,
      truncated: false,
    },
  });
  expect(await client.callTool('list_tables', { filter: 'log' })).toMatchObject({
    content: [{ type: 'text', text: 'log: table, 1 columns, 2 rows\n1 table or view' }],
    structuredContent: { tables: [{ name: 'log', kind: 'table', columns: 1, rows: 2 }], total: 1 },
  });
  const { structuredContent } = await client.callTool('describe_table', { table: 'wide' });
  expect(structuredContent).toMatchObject({ table: { name: 'wide', columns: 1_900, shortened: true } });
  expect(await client.callTool('write', { sql: 'DELETE FROM log' })).toMatchObject({
    structuredContent: { dryRun: false, results: [{ changes: 2, totalChanges: 2 }], isFinal: false },
  });
});

test('without it, nothing is structured but the format json of query, and no schema is listed', async () => {
  const { workspace, client } = await everything(false);
  using _ = workspace;
  for (const { name, outputSchema } of await client.listTools()) expect(outputSchema, name).toBeUndefined();
  for (const [name, args] of calls)
    expect(await client.callTool(name, { ...args }), name).not.toHaveProperty('structuredContent');
  const json = await client.callTool('query', { sql: 'SELECT 1 AS a', format: 'json' });
  expect(json.structuredContent).toMatchObject({ rows: [[1]] });
});
