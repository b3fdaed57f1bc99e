import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Databases, QueryRequest, Refinement } from '../src/index.ts';
import { problem, Workspace } from './workspace.ts';

const content = `
  CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT, size);
  INSERT INTO people VALUES (1, 'Ada', 1.0), (2, 'ben', NULL), (3, 'Chiara', 9007199254740993), (4, '', -0.0), (5, 'a''b"c', x'00ff');
  CREATE TABLE parents("the id" INTEGER, b, PRIMARY KEY ("the id", b)) WITHOUT ROWID;
  CREATE TABLE children(a, b, person REFERENCES people ON DELETE CASCADE, FOREIGN KEY (a, b) REFERENCES parents("the id", b));
  CREATE VIEW named AS SELECT name FROM people;
`;
let workspace: Workspace;
let databases: Databases;

beforeAll(() => {
  workspace = new Workspace(content);
  databases = workspace.open();
});
afterAll(() => {
  databases[Symbol.dispose]();
  workspace[Symbol.dispose]();
});

interface Rows {
  readonly columns: readonly { readonly name: string; readonly type?: string }[];
  readonly rows: readonly (readonly unknown[])[];
  readonly nextCursor?: string;
}

async function read(sql: string, refinement?: Refinement, more: Partial<QueryRequest> = {}): Promise<Rows> {
  const { json } = await databases.get(undefined).query({ sql, refinement, format: 'json', ...more });
  return JSON.parse(json) as Rows;
}
const ids = async (refinement: Refinement, more: Partial<QueryRequest> = {}) =>
  (await read(more.sql ?? 'SELECT * FROM people', refinement, more)).rows.map(([id]) => id);

test.each<[Refinement, unknown[]]>([
  [{ sort: { column: 1 } }, [4, 1, 3, 5, 2]],
  [{ sort: { column: 0, descending: true } }, [5, 4, 3, 2, 1]],
  [{ filters: [{ column: 1, operator: 'contains', value: 'A' }] }, [1, 3, 5]],
  [{ filters: [{ column: 1, operator: '=', value: 'a\'b"c' }] }, [5]],
  [{ filters: [{ column: 1, operator: '=', value: '' }] }, [4]],
  [{ filters: [{ column: 2, operator: 'null' }] }, [2]],
  [{ filters: [{ column: 2, operator: 'not null' }] }, [1, 3, 4, 5]],
  [{ filters: [{ column: 2, operator: '>', value: { $int: '9007199254740992' } }] }, [3, 5]],
  [{ filters: [{ column: 2, operator: '=', value: { $blob: 'AP8=' } }] }, [5]],
  [
    {
      filters: [
        { column: 0, operator: '>=', value: 2 },
        { column: 0, operator: '<', value: 5 },
      ],
      sort: { column: 0, descending: true },
    },
    [4, 3, 2],
  ],
  [{ every: 2 }, [1, 3, 5]],
  [{ every: 2, sort: { column: 0, descending: true } }, [5, 3, 1]],
  [{ counts: true, filters: [{ column: 0, operator: '<>', value: 3 }] }, [4]],
  [{ columns: [1] }, ['Ada', 'ben', 'Chiara', '', 'a\'b"c']],
])('refines by %j', async (refinement, expected) => {
  expect(await ids(refinement)).toEqual(expected);
});

test('columns keep their names, also equal ones, and their types', async () => {
  const { columns } = await read('SELECT id, name AS id, 1 AS "a""b" FROM people', { sort: { column: 0 } });
  expect(columns.map(({ name, type }) => [name, type])).toEqual([
    ['id', 'INTEGER'],
    ['id', 'TEXT'],
    ['a"b', undefined],
  ]);
});

test('parameters of the query stay, whatever their form', async () => {
  const refinement: Refinement = { filters: [{ column: 1, operator: 'contains', value: 'a' }] };
  const sqls: [string, QueryRequest['params']][] = [
    ['SELECT * FROM people WHERE id > ?', [1]],
    ['SELECT * FROM people WHERE id > ?2 AND id < ?1', [5, 1]],
    ['SELECT * FROM people WHERE id > :least AND name <> :refined_0', { least: 1, refined_0: 'x' }],
    ['WITH refined AS (SELECT * FROM people WHERE id > $a) SELECT * FROM refined -- ;', { $a: 1 }],
  ];
  for (const [sql, params] of sqls)
    expect(await ids(refinement, { sql, params }), sql).toEqual(
      sql.includes('<') && !sql.includes('<>') ? [3] : [3, 5],
    );
});

test('values are bound and never become SQL', async () => {
  const value = "' OR 1=1 --";
  expect(await ids({ filters: [{ column: 1, operator: 'contains', value }] })).toEqual([]);
});

test('a comparison of two queries is refined too', async () => {
  const sql = 'SELECT id FROM people';
  const compare = 'SELECT id FROM people WHERE id > 2';
  const refinement: Refinement = { sort: { column: 2, descending: true }, columns: [2] };
  expect((await read(sql, refinement, { compare })).rows).toEqual([[2], [1]]);
});

test('a cursor continues a refined query, from any row on, and no other query', async () => {
  const sql = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 5000) SELECT x FROM c';
  const refinement: Refinement = { sort: { column: 0, descending: true } };
  const { nextCursor: cursor } = await read(sql, refinement, { limit: 2 });
  expect(await ids(refinement, { sql, limit: 2, cursor })).toEqual([4998, 4997]);
  expect(await ids(refinement, { sql, limit: 2, cursor, skip: 4_000 })).toEqual([998, 997]);
  expect(await ids(refinement, { sql, limit: 2, cursor, skip: 9_000 })).toEqual([]);
  expect(await problem(() => ids({}, { sql, cursor }))).toContain('The cursor belongs to another query');
});

test('an unknown column is refused', async () => {
  expect(await problem(() => ids({ sort: { column: 3 } }))).toBe(
    'Invalid column: 3; the query has 3 columns, from 0 on',
  );
});

test('whole reals can be told from integers, and long values can be cut earlier', async () => {
  const sql = "SELECT 1.0, 1, 0.5, -0.0, 1e300, printf('%.*c', 3000, 'x'), zeroblob(3000)";
  const { rows } = await read(sql, undefined, { tagsReals: true, maxCellBytes: 2_000 });
  expect(rows).toEqual([
    [
      { $real: '1.0' },
      1,
      0.5,
      { $real: '-0.0' },
      { $real: '1e+300' },
      { $cut: 'x'.repeat(1_000), bytes: 3_000, type: 'text' },
      { $cut: '00'.repeat(64), bytes: 3_000, type: 'blob' },
    ],
  ]);
});

test('relations have the columns and foreign keys of all tables', async () => {
  const { tables, total } = await databases.get(undefined).relations();
  expect(total).toBe(4);
  expect(tables.map(({ name, kind, rows, columns }) => [name, kind, rows, columns])).toEqual([
    ['children', 'table', 0, 3],
    ['named', 'view', 5, 1],
    ['parents', 'table', 0, 2],
    ['people', 'table', 5, 3],
  ]);
  expect(tables[0]!.foreignKeys).toEqual([
    { columns: ['a', 'b'], table: 'parents', to: ['the id', 'b'], onDelete: 'NO ACTION' },
    { columns: ['person'], table: 'people', to: [], onDelete: 'CASCADE' },
  ]);
  expect(tables[2]!.details.map(({ name, primaryKey }) => [name, primaryKey])).toEqual([
    ['the id', 1],
    ['b', 2],
  ]);
});
