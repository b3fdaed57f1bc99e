import { describe, expect, test } from 'vitest';
import { DatabaseError } from '../src/errors.ts';
import { isUpsert, resolvesConflicts } from '../src/sql/conflict-clauses.ts';
import { qualifiers, quotedNames } from '../src/sql/mentioned-names.ts';
import { hasMoreStatements, placeholdersIn } from '../src/sql/placeholders.ts';
import { quoteIdentifier } from '../src/sql/quote-identifier.ts';
import {
  assertExplainable,
  assertReading,
  assertWriting,
  dataChange,
  destructiveKind,
  unquoted,
} from '../src/sql/statement-guard.ts';
import { bareStatement, ownLimit, tokenize } from '../src/sql/tokenizer.ts';

/** The tokens of a statement: words as they are, other tokens with their kind, such as `quoted:'a'`. */
const tokens = (sql: string) =>
  [...tokenize(sql)].map(({ kind, text }) => (kind === 'word' ? text : `${kind}:${text}`));

// The tokens of https://www.sqlite.org/lang_keywords.html and lang_comment.html.
test.each<[sql: string, tokens: string[]]>([
  ['', []],
  [' \t\n\f\r\uFEFF', []],
  ['SELECT a', ['select', 'a']],
  ['a\u000bb', ['a', 'other:\u000b', 'b']],
  ['_a1$ $b é 日本1 \u0080x', ['_a1$', '$b', 'é', '日本1', '\u0080x']],
  ['1a', ['other:1', 'a']],
  ["'it''s' x", ["quoted:'it''s'", 'x']],
  ['"a""b"c', ['quoted:"a""b"', 'c']],
  ['`a``b`[c]]d', ['quoted:`a``b`', 'quoted:[c]', 'other:]', 'd']],
  ["'open", ["quoted:'open"]],
  ["'open''", ["quoted:'open''"]],
  ["''''a", ["quoted:''''", 'a']],
  ['[]a', ['quoted:[]', 'a']],
  ['a--b\rc\nd', ['a', 'd']],
  ['a -- b', ['a']],
  ['a/*b*/c/**/d/* e * / f', ['a', 'c', 'd']],
  ['a/*\n*/--\n/* */b', ['a', 'b']],
  ['a-b/c', ['a', 'other:-', 'b', 'other:/', 'c']],
])('%j has the tokens %j', (sql, expected) => expect(tokens(sql)).toEqual(expected));

test('a token ends where the next one can begin', () => {
  expect([...tokenize(' "a" + b')].map(({ end }) => end)).toEqual([4, 6, 8]);
});

const refusal = (check: (sql: string) => void, sql: string) => {
  try {
    check(sql);
  } catch (error) {
    if (error instanceof DatabaseError) return [error.failure.message, error.failure.reason];
    throw error;
  }
  return undefined;
};

const read = 'Only SELECT, WITH and VALUES can be run here, not';
const write =
  'Only INSERT, UPDATE, DELETE, REPLACE, WITH, CREATE, ALTER, DROP, ANALYZE and REINDEX can be run here, not';
const plan = 'Only SELECT, WITH, VALUES, INSERT, UPDATE, DELETE and REPLACE have a query plan, not';

test.each([
  ...['select 1', 'WITH x', 'values(1)'].map((sql) => [assertReading, sql, undefined] as const),
  ...['select 1', 'with x', 'values(1)', 'insert', 'update', 'delete', 'replace'].map(
    (sql) => [assertExplainable, sql, undefined] as const,
  ),
  ...[...write.matchAll(/[A-Z]{4,}/g)].map(([sql]) => [assertWriting, sql, undefined] as const),
  [assertReading, 'INSERT INTO t', [`${read} "INSERT"`, 'writes']],
  [assertReading, 'drop table t', [`${read} "DROP"`, 'writes']],
  [assertReading, 'PRAGMA x', [`${read} "PRAGMA"`, 'pragma']],
  [assertReading, 'explain select 1', [`${read} "EXPLAIN"`, 'explain']],
  [assertReading, 'attach', [`${read} "ATTACH"`, 'attach']],
  [assertReading, 'detach', [`${read} "DETACH"`, 'attach']],
  ...['BEGIN', 'COMMIT', 'ROLLBACK', 'SAVEPOINT'].map(
    (sql) => [assertReading, sql, [`${read} "${sql}"`, 'transaction']] as const,
  ),
  [assertReading, '"select"', [`${read} "\\"SELECT\\""`, undefined]],
  [assertReading, `${'x'.repeat(40)} 1`, [`${read} "${'X'.repeat(40)}"`, undefined]],
  [assertReading, `${'x'.repeat(41)} 1`, [`${read} "${'x'.repeat(40)}…"`, undefined]],
  [assertExplainable, 'create', [`${plan} "CREATE"`, 'writes']],
  [assertWriting, 'select 1', [`${write} "SELECT"`, 'reads']],
  [assertWriting, 'values(1)', [`${write} "VALUES"`, 'reads']],
  [assertReading, ' -- x', ['sql is empty', undefined]],
  [assertReading, 'select\0', ['sql contains a NUL character, after which SQLite reads nothing', undefined]],
  [assertReading, `select ${'x'.repeat(2 ** 20 - 7)}`, undefined],
  [
    assertReading,
    `select ${'x'.repeat(2 ** 20 - 6)}`,
    ['sql has 1048577 characters; the maximum is 1048576: use params for values', undefined],
  ],
] as const)('%o of %.30s says %j', (check, sql, expected) => expect(refusal(check, sql)).toEqual(expected));

test.each<[sql: string, change: [verb: string, table: string, hasWhere: boolean] | undefined]>([
  ['select 1', undefined],
  ['', undefined],
  ['explain delete from t', undefined],
  ['xinsert delete from t', undefined],
  ['deletes delete from t', undefined],
  ['INSERT INTO t VALUES (1)', ['insert', 't', false]],
  ['insert or replace into t values (1)', ['insert', 't', false]],
  ...['rollback', 'abort', 'fail', 'ignore'].map((word): [string, [string, string, boolean]] => [
    `update or ${word} t set a = 1`,
    ['update', 't', false],
  ]),
  ['replace into main.t values (1)', ['replace', 't', false]],
  ['update "a""b" set x = 1 where y', ['update', 'a"b', true]],
  ['delete from t where (1)', ['delete', 't', true]],
  ['delete from t returning (select 1 from u where 2)', ['delete', 't', false]],
  ['delete from [where]', ['delete', 'where', false]],
  ['delete from t returning "where"', ['delete', 't', false]],
  ['with x as (select 1 where 2) delete from t', ['delete', 't', false]],
  ['with delete as (select 1) insert into t select 1', ['insert', 't', false]],
  ['with recursive update as (select 1) delete from t', ['delete', 't', false]],
  ['with a as (select 1), insert as (select 2) update t set a = 1', ['update', 't', false]],
  ['with a as (delete) select 1', undefined],
  ['with a as (((1))) select "delete"', undefined],
  ['delete', ['delete', '', false]],
])('%s changes %j', (sql, expected) => {
  const [verb, table, hasWhere] = expected ?? [];
  expect(dataChange(sql)).toEqual(expected && { verb, table, hasWhere });
});

test.each<[sql: string, kind: string | undefined]>([
  ['drop table t', 'drop'],
  ['alter table t drop column a', 'drop'],
  ['alter table t rename to "drop"', undefined],
  ['create table t(a)', undefined],
  ['create trigger x begin drop table t', undefined],
  ['delete from t', 'delete'],
  ['delete from t where 1', undefined],
  ['update t set a = 1', 'update'],
  ['insert into t values (1)', undefined],
  ['replace into t values (1)', undefined],
  ['', undefined],
])('%s destroys by %s', (sql, kind) => expect(destructiveKind(sql)).toBe(kind));

test.each([
  ['a', 'a'],
  ['[a]', 'a'],
  ['"a""b"', 'a"b'],
  ["'a''b'", "a'b"],
  ['`a``b"`', 'a`b"'],
  ['', ''],
])('%s without quotes is %s', (name, bare) => expect(unquoted(name)).toBe(bare));

test('a quoted identifier has its quotes twice', () => {
  expect(quoteIdentifier('a"b"')).toBe('"a""b"""');
});

test.each<[sql: string, limit: number | undefined]>([
  ['select 1', undefined],
  ['select 1 LIMIT 10', 10],
  ['select 1 limit 10 ;; -- x', 10],
  ['select 1 limit 10 offset 5', undefined],
  ['select 1 limit 10 + 1', undefined],
  ['select (select 1 limit 5) from t', undefined],
  ['select 1 limit', undefined],
  ['select "limit" 5', undefined],
  ['select 1 limit 1 limit 2', 2],
  ['select 1 5', undefined],
  ['select 1 limit 5;', 5],
])('%s has the limit %s', (sql, limit) => expect(ownLimit(sql)).toBe(limit));

test.each([
  ['select 1', 'select 1'],
  [' select 1 ; -- x\n;', ' select 1'],
  ['a; b;', 'a; b'],
  [';', ''],
])('%j is the statement %j', (sql, bare) => expect(bareStatement(sql)).toBe(bare));

describe('conflicts', () => {
  test.each<[sql: string, resolves: boolean, upserts: boolean]>([
    ['insert into t values (1)', false, false],
    ['insert or replace into t values (1)', true, false],
    ['UPDATE OR REPLACE t set a = 1', true, false],
    ['insert or ignore into replace values (1)', false, false],
    ["select replace('a', 'b', 'c')", false, false],
    ["insert into t select 'or' or replace(a, b, c)", false, false],
    ['create table t(a unique on conflict replace)', true, false],
    ['create table t(a unique on CONFLICT rollback)', true, false],
    ['create table t(a unique on conflict abort)', false, false],
    ['create table t(a unique on conflict "replace")', false, false],
    ['create table t(a, conflict replace)', false, false],
    ['create table t(a, on replaced replace)', false, false],
    ['create table t(a unique on conflict replaces)', false, false],
    ['create table t(a unique on conflict xreplace)', false, false],
    ['insert into t values (1) on conflict do update set a = 1', true, true],
    ['insert into t values (1) ON CONFLICT (a) DO UPDATE set a = 1', true, true],
    ['insert into t values (1) on conflict do nothing', false, false],
    ['insert into conflict values (do, "update")', false, false],
    ['insert into t select do update', false, false],
    ['insert or', false, false],
    ['select 1 or replace from conflict', false, false],
  ])('%s: %s, %s', (sql, resolves, upserts) => {
    expect([resolvesConflicts(sql), isUpsert(sql)]).toEqual([resolves, upserts]);
  });
});

test('the names of statements are those in quotes, and those before a point', () => {
  expect([...quotedNames([`select "a""b", [c], 'text', \`d\` from e`, 'select "d", "f"'])]).toEqual([
    'a"b',
    'c',
    'd',
    'f',
  ]);
  expect([...qualifiers(['select A.b, "C d" . e, 1.5', `select 'x'.y, (z).w, B.c`])]).toEqual([
    'a',
    'c d',
    'b',
  ]);
});

test.each<[sql: string, names: string[], hasUnnamed: boolean]>([
  ['select 1', [], false],
  ['select :a, @B, $c', ['a', 'B', 'c'], false],
  ['select ?', [], true],
  ['select ": a", : a', [], false],
  ['select a:b, @ c', ['b'], false],
  ['select :a, b', ['a'], false],
  ['select a$b, -b', [], false],
  ["select '?'", [], false],
])('%s has the parameters %j; unnamed: %s', (sql, names, hasUnnamed) => {
  const found = placeholdersIn(sql);
  expect([[...found.names], found.hasUnnamed]).toEqual([names, hasUnnamed]);
});

test.each([
  ['select 1', false],
  ['select 1;; -- x', false],
  ['select 1; select 2', true],
  [';', false],
  ["select ';'", false],
])('%s has further statements: %s', (sql, more) => expect(hasMoreStatements(sql)).toBe(more));
