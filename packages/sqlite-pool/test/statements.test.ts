import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Databases } from '../src/index.ts';
import { DirectReader, fixture } from './direct-reader.ts';
import { problem, Workspace } from './workspace.ts';

/** A statement and its expected outcome: refused before it is prepared (`refused`), an error, or rows. */
type Case = readonly [
  number: number,
  sql: string,
  wanted: 'refused' | 'writes' | RegExp | readonly unknown[],
];

const cases: readonly Case[] = [
  // A. Prepare-time effects
  [1, 'PRAGMA query_only=0', 'refused'],
  [2, 'PRAGMA query_only(0)', 'refused'],
  [2, 'PRAGMA [query_only]=0', 'refused'],
  [2, 'PRAGMA `query_only`(0)', 'refused'],
  [3, 'EXPLAIN PRAGMA query_only=0', 'refused'],
  [4, 'EXPLAIN QUERY PLAN PRAGMA query_only=0', 'refused'],
  [5, 'EXPLAIN/**/PRAGMA query_only=0', 'refused'],
  [6, 'PRAGMA query_only=0; SELECT 1', 'refused'],
  [6, 'SELECT 1; PRAGMA query_only=0', /^sql contains more than one statement/],
  ...[
    'foreign_keys=0',
    'trusted_schema=1',
    'busy_timeout=600000',
    'cache_size=-99999999',
    'temp_store=2',
  ].map((pragma): Case => [7, `PRAGMA ${pragma}`, 'refused']),
  [7, 'PRAGMA locking_mode=EXCLUSIVE', 'refused'],
  [8, 'pragma/**/user_version=3', 'refused'],
  [8, 'PRAGMA main . user_version = 8', 'refused'],
  [8, 'PRAGMA "user_version"(7)', 'refused'],
  // B. Writes that look like reads
  [9, 'WITH x AS (SELECT 1) INSERT INTO t(v) SELECT * FROM x', 'writes'],
  [10, 'WITH x AS (SELECT 1) DELETE FROM t RETURNING *', 'writes'],
  [11, 'WITH x AS (SELECT 1) DELETE FROM t WHERE 1 /* limit */', 'writes'],
  [12, "INSERT INTO t(v) VALUES('z') RETURNING id", 'refused'],
  [13, 'SELECT * FROM pragma_optimize(0xfffe)', /^SQLITE_READONLY: /],
  [14, 'PRAGMA optimize', 'refused'],
  [14, 'PRAGMA optimize(0xfffe)', 'refused'],
  [14, 'PRAGMA optimize=0x10002', 'refused'],
  [15, 'PRAGMA `journal_mode`(wal)', 'refused'],
  ...['=WAL', '=DELETE', '=OFF', '=MEMORY', '(wal)'].map((mode): Case => [
    16,
    `PRAGMA journal_mode${mode}`,
    'refused',
  ]),
  [17, 'PRAGMA wal_checkpoint', 'refused'],
  [17, 'PRAGMA wal_checkpoint(TRUNCATE)', 'refused'],
  ...[
    'user_version=7',
    'application_id(5)',
    'schema_version=99',
    'incremental_vacuum',
    "encoding='UTF-16'",
    'auto_vacuum=2',
    'page_size=1024',
    'secure_delete=1',
    'writable_schema=1',
  ].map((pragma): Case => [18, `PRAGMA ${pragma}`, 'refused']),
  [19, 'EXPLAIN INSERT INTO t(v) VALUES(1)', 'refused'],
  ...['optimize', 'rebuild', 'delete-all', 'integrity-check'].map((command): Case => [
    20,
    `INSERT INTO ft(ft) VALUES('${command}')`,
    'refused',
  ]),
  [21, "REPLACE INTO t(id, v) VALUES (1, 'x')", 'refused'],
  [21, "INSERT INTO t(id, v) VALUES (1, 'x') ON CONFLICT DO UPDATE SET v = 'y'", 'refused'],
  [21, 'DELETE FROM t LIMIT 1', 'refused'],
  [21, 'WITH x AS (SELECT 1) DELETE FROM t LIMIT 1', 'writes'],
  ...['BEGIN', 'SAVEPOINT s', 'BEGIN IMMEDIATE', 'COMMIT'].map((sql): Case => [23, sql, 'refused']),
  [24, 'CREATE TEMP TABLE tt(x)', 'refused'],
  [24, 'CREATE TEMP VIEW tv AS SELECT 1', 'refused'],
  [24, 'CREATE TEMP TRIGGER tr AFTER INSERT ON t BEGIN SELECT 1; END', 'refused'],
  // C. Escape from the file
  [25, "ATTACH '../outside/secret.db' AS o", 'refused'],
  [25, 'SELECT * FROM o.secret', /no such table: o\.secret/],
  [26, "ATTACH 'new.db' AS n", 'refused'],
  ...[
    "ATTACH ':memory:' AS m",
    "ATTACH '' AS t",
    "ATTACH 'file:x?mode=rwc' AS u",
    'ATTACH :p AS o',
    'DETACH main',
  ].map((sql): Case => [27, sql, 'refused']),
  [28, "VACUUM INTO 'copy.db'", 'refused'],
  ...['VACUUM', 'REINDEX', 'ANALYZE'].map((sql): Case => [29, sql, 'refused']),
  [30, "SELECT load_extension('/tmp/x.so')", /^SQLITE_ERROR: not authorized/],
  [30, "SELECT load_extension('x', 'sqlite3_init')", /^SQLITE_ERROR: not authorized/],
  ...["writefile('/tmp/x', 'y')", "readfile('/etc/passwd')", "edit('x')", "zipfile('x', 'y')"].map(
    (call): Case => [31, `SELECT ${call}`, /no such function/],
  ),
  [31, "SELECT * FROM fsdir('/')", /no such table: fsdir/],
  [32, "SELECT fts3_tokenizer('evil', x'4141414141414141')", /fts3tokenize disabled/],
  [33, "UPDATE sqlite_master SET sql = 'x'", 'refused'],
  [33, 'PRAGMA writable_schema=1; DELETE FROM sqlite_schema', 'refused'],
  [33, "WITH x AS (SELECT 1) UPDATE sqlite_master SET sql = 'x'", /may not be modified/],
  [34, 'UPDATE sqlite_dbpage SET data = 0', 'refused'],
  [34, 'SELECT * FROM sqlite_dbpage', /no such table: sqlite_dbpage/],
  [34, "SELECT count(*) > 0 FROM dbstat WHERE name = 't'", [[1]]],
  [35, "SELECT file LIKE '%shop.db' FROM pragma_database_list", [[1]]],
  // D. Multi-statement, comments, lexing
  [36, 'SELECT 1; DROP TABLE t', /^sql contains more than one statement/],
  [37, 'SELECT 1;-- x\nDELETE FROM t', /^sql contains more than one statement/],
  [37, 'SELECT 1 /* ; */; DELETE FROM t', /^sql contains more than one statement/],
  [37, "SELECT ';' ; DELETE FROM t", /^sql contains more than one statement/],
  [38, 'SELECT 1 -- x\r; DELETE FROM t', [[1]]],
  [38, 'SELECT 1 /* unterminated', [[1]]],
  [39, 'SELECT 1\u0000; DROP TABLE t', /NUL/],
  ...['', ';', '-- only', '/**/', '  \n\t '].map((sql): Case => [
    40,
    sql,
    sql === ';' ? 'refused' : /^sql is empty/,
  ]),
  [40, '\uFEFFSELECT 1', [[1]]],
  [40, '  \n\t SELECT 1', [[1]]],
  [40, '((SELECT 1))', 'refused'],
  [40, 'VALUES(1),(2)', [[1], [2]]],
  [40, 'SELECT 1;;;', [[1]]],
  [41, '-- hi\nSELECT 1', [[1]]],
  [41, '/* c */ WITH x AS (SELECT 1) SELECT * FROM x', [[1]]],
  [42, 'SELECT id FROM t LIMIT 0, 100000', [[1], [2], [3]]],
  [42, 'SELECT id FROM t LIMIT -1', [[1], [2], [3]]],
  [42, 'SELECT id FROM t LIMIT (100000)', [[1], [2], [3]]],
  [43, 'SELECT id AS limit_x FROM t WHERE id = 1 -- limit', [[1]]],
  [44, 'SELECT id FROM t --', [[1], [2], [3]]],
  [44, 'SELECT "limit" FROM t', [[1], [2], [3]]],
  [44, "SELECT replace('axa', 'x', 'y')", [['aya']]],
  [44, 'SELECT "update" AS "delete", v AS "into" FROM t WHERE id = 1', [[null, 'a']]],
  [45, `SELECT ${'('.repeat(5_000)}1${')'.repeat(5_000)}`, /Recursion limit|parser stack overflow|too deep/],
  [45, `SELECT ${Array.from({ length: 1_100 }, () => '1').join('+')}`, /maximum depth 1000/],
  [45, Array.from({ length: 501 }, () => 'SELECT 1').join(' UNION ALL '), /too many terms/],
  [45, `SELECT ${Array.from({ length: 2_001 }, () => '1').join(',')}`, /too many columns/],
  [
    45,
    `SELECT ${Array.from({ length: 32_767 }, (_, index) => `?${index + 1}`).join('+')}`,
    /variable number|too many SQL variables|depth/,
  ],
  [45, `SELECT '${'x'.repeat(10_000_000)}'`, /the maximum is 1048576: use params/],
  [46, "SELECT 'a' 'b'", [['a']]],
  [46, 'SELECT "nope"', /no such column: "?nope"?/],
];

const refused = /^Only SELECT, WITH and VALUES can be run here/;
const wantedText = (wanted: Case[2]) =>
  wanted === 'refused' ? refused : wanted === 'writes' ? /^This statement writes/ : wanted;

describe.each([
  { journal: 'rollback', wal: false },
  { journal: 'WAL', wal: true },
])('in $journal mode, without a change on disk', ({ wal }) => {
  let workspace: Workspace;
  let reader: DirectReader;
  let databases: Databases;
  let before: string;
  let state: string;

  beforeAll(async () => {
    workspace = new Workspace(fixture, { wal });
    reader = new DirectReader({ wal });
    databases = workspace.open();
    // In WAL mode the first reader creates the WAL.
    await rows(databases, 'SELECT 1');
    before = workspace.disk;
    state = reader.state;
  });

  afterAll(async () => {
    databases[Symbol.dispose]();
    reader[Symbol.dispose]();
    workspace[Symbol.dispose]();
  });

  test.each([...new Set(cases.map(([number]) => number))])(
    'case %i has the expected outcome',
    async (number) => {
      for (const [, sql, wanted] of cases.filter(([each]) => each === number)) {
        const shown = sql.slice(0, 100);
        if (Array.isArray(wanted)) {
          expect(await rows(databases, sql), shown).toEqual(wanted);
          reader.run(sql);
        } else {
          const text = wantedText(wanted) as RegExp;
          expect(await problem(() => rows(databases, sql)), shown).toMatch(text);
          expect(await problem(() => reader.run(sql)), shown).toMatch(text);
        }
        // Settings belong to a connection, so that they are compared on the one that ran the statement.
        expect(reader.state, shown).toBe(state);
      }
      expect(await rows(databases, 'SELECT count(*) FROM t')).toEqual([[3]]);
      expect(workspace.disk).toBe(before);
    },
  );
});

/** The rows of a query that runs in a child process. */
async function rows(databases: Databases, sql: string): Promise<unknown> {
  const { json } = await databases.get('shop').query({ sql, limit: 1_000, format: 'json' });
  return (JSON.parse(json) as { rows: unknown }).rows;
}
