import { copyFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@mcp/protocol/testing';
import Driver from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shareProcesses, Workspace } from './workspace.ts';

shareProcesses();

const times = Number(process.env['GENERATED_TIMES'] ?? 1);

/** Tables of every kind that an undo may meet. */
const schema = `
  CREATE TABLE plain(id INTEGER PRIMARY KEY, v, w TEXT DEFAULT 'x');
  CREATE TABLE lists(id INTEGER PRIMARY KEY, pos INTEGER NOT NULL UNIQUE, CHECK (pos > -100));
  CREATE TABLE counted(id INTEGER PRIMARY KEY AUTOINCREMENT, v);
  CREATE TABLE keyed(k TEXT PRIMARY KEY, v) WITHOUT ROWID;
  CREATE TABLE computed(a INTEGER, twice GENERATED ALWAYS AS (a * 2) STORED UNIQUE, thrice AS (a * 3));
  CREATE TABLE strictly(a INTEGER PRIMARY KEY, b TEXT NOT NULL COLLATE NOCASE UNIQUE) STRICT;
  CREATE TABLE replacing(id INTEGER PRIMARY KEY, u UNIQUE ON CONFLICT REPLACE);
  CREATE TABLE ignoring(id INTEGER PRIMARY KEY, u UNIQUE ON CONFLICT IGNORE);
  CREATE TABLE ending(id INTEGER PRIMARY KEY, u UNIQUE ON CONFLICT ROLLBACK);
  CREATE TABLE "conflict"("replace", rowid, oid);
  CREATE TABLE noted(id INTEGER PRIMARY KEY, v); CREATE TABLE notes(what);
  CREATE TRIGGER note AFTER INSERT ON noted BEGIN INSERT INTO notes VALUES (new.v); END;
  CREATE TABLE parents(id INTEGER PRIMARY KEY, code UNIQUE);
  CREATE TABLE cascading(p REFERENCES parents ON DELETE CASCADE ON UPDATE CASCADE);
  CREATE TABLE nulled(code REFERENCES parents(code) ON DELETE SET NULL ON UPDATE SET NULL);
  CREATE TABLE later(p REFERENCES parents DEFERRABLE INITIALLY DEFERRED, v);
  CREATE TABLE trees(id INTEGER PRIMARY KEY, up REFERENCES trees);
  CREATE TABLE waiting(p REFERENCES missing ON DELETE CASCADE);
  CREATE TABLE loose(id INTEGER PRIMARY KEY, code); CREATE TABLE mismatched(code REFERENCES loose(code));
  CREATE VIRTUAL TABLE words USING fts5(word);
  CREATE VIRTUAL TABLE contentless USING fts5(word, content = '');
  CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1);
  CREATE VIEW seen AS SELECT id, v FROM plain;
  CREATE TRIGGER shown INSTEAD OF DELETE ON seen BEGIN DELETE FROM plain WHERE id = old.id; END;
  CREATE INDEX by_v ON plain(v); CREATE UNIQUE INDEX by_w ON counted(v);
  INSERT INTO plain(v, w) VALUES (1.0, 'a'), (9007199254740993, 'it''s'), (x'00ff', NULL), (9e999, 'two
lines'), (-0.0, CAST(x'610062' AS TEXT)), ('5', ''), (0.1, '😀'), (NULL, 'x');
  INSERT INTO lists(pos) VALUES (1), (2), (3), (5);
  INSERT INTO counted(v) VALUES ('a'), ('b'); DELETE FROM counted WHERE v = 'b';
  INSERT INTO keyed VALUES ('k', 1), ('l', 2); INSERT INTO computed(a) VALUES (1), (2);
  INSERT INTO strictly VALUES (1, 'a'), (2, 'b'); INSERT INTO replacing VALUES (1, 'a'), (2, 'b');
  INSERT INTO ignoring VALUES (1, 1), (2, 2), (3, 3); INSERT INTO ending VALUES (1, 1), (2, 2), (3, 3);
  INSERT INTO "conflict" VALUES (1, 2, 3), ('a', 'b', 'c');
  INSERT INTO parents VALUES (1, 'a'), (2, 'b'); INSERT INTO cascading VALUES (1), (2), (3), (5);
  INSERT INTO nulled VALUES ('a'), ('q'); INSERT INTO later VALUES (1, 'x'), (4, 'y'), (9, 'z');
  INSERT INTO trees VALUES (1, NULL), (2, 1); INSERT INTO waiting VALUES (1);
  INSERT INTO words VALUES ('one'), ('two'); INSERT INTO boxes VALUES (1, 0, 1);
`;

/** Statements, and whether the answer to each alone has an undo. */
const statements: readonly (readonly [sql: string, undone: boolean])[] = [
  ["UPDATE plain SET v = 'new', w = w || 1 WHERE id = 2", true],
  ["UPDATE plain SET w = replace(w, 'x', 'y') WHERE id IN (1, 8)", true],
  ["UPDATE plain SET w = 'on conflict do update' WHERE id = 3 OR replace(w, 'a', '') = ''", true],
  ['UPDATE plain SET v = id, w = NULL', true],
  ['DELETE FROM plain WHERE id <> 4', true],
  ["INSERT INTO plain(v) VALUES (replace('x', 'x', 'y')), ('y')", true],
  ["INSERT OR IGNORE INTO plain(v) VALUES ('z')", true],
  ['INSERT INTO plain(v) VALUES (7) ON CONFLICT DO NOTHING', true],
  ['INSERT INTO plain(id, v) VALUES (1, 7) ON CONFLICT DO UPDATE SET v = 8', false],
  ['INSERT OR REPLACE INTO plain(id, v) VALUES (1, 7)', false],
  ['REPLACE INTO plain(id, v) VALUES (20, 7)', false],
  ['UPDATE plain SET id = id + 100', false],
  ['UPDATE lists SET pos = pos - 1', true],
  ['UPDATE lists SET pos = pos + 1 WHERE pos > 3', true],
  ['UPDATE lists SET pos = -pos', true],
  ['DELETE FROM lists WHERE pos < 3', true],
  ['UPDATE OR REPLACE lists SET pos = 1 WHERE pos = 2', false],
  ["INSERT INTO counted(v) VALUES ('c'), ('d')", true],
  ["INSERT INTO counted(v) VALUES ('c')", true],
  ["UPDATE counted SET v = 'z'", true],
  ['DELETE FROM counted', true],
  ["UPDATE keyed SET v = 3 WHERE k = 'k'", false],
  ["DELETE FROM keyed WHERE k = 'k'", false],
  ['UPDATE computed SET a = a - 1', true],
  ['DELETE FROM computed WHERE thrice = 3', true],
  ['INSERT INTO computed(a) VALUES (9)', true],
  ['UPDATE strictly SET b = upper(b)', true],
  ["DELETE FROM strictly WHERE b = 'A'", true],
  ["INSERT INTO replacing(u) VALUES ('a')", false],
  ["UPDATE replacing SET u = 'a' WHERE id = 2", false],
  ['UPDATE ignoring SET u = u - 1', true],
  ['UPDATE ending SET u = u - 1', false],
  ['UPDATE "conflict" SET "replace" = 5', true],
  ['DELETE FROM "conflict" WHERE rowid = 2', true],
  ["INSERT INTO noted(v) VALUES ('x')", false],
  ["INSERT INTO parents VALUES (3, 'c')", false],
  ["INSERT INTO parents VALUES (3, 'q')", false],
  ["INSERT INTO parents(code) SELECT 'c' || value FROM json_each('[1]')", false],
  ['DELETE FROM parents WHERE id = 2', false],
  ["UPDATE parents SET code = 'x' WHERE id = 2", true],
  ["UPDATE parents SET code = 'x' WHERE id = 1", false],
  ['INSERT INTO cascading VALUES (1)', true],
  ['DELETE FROM cascading WHERE p = 1', true],
  ['DELETE FROM cascading WHERE p = 3', false],
  ['DELETE FROM later WHERE p = 1', true],
  ['DELETE FROM later WHERE p = 9', false],
  ["UPDATE later SET v = 'w' WHERE p = 9", false],
  ['INSERT INTO trees(up) VALUES (2), (3)', true],
  ['DELETE FROM trees WHERE id = 2', true],
  ["INSERT INTO loose(code) VALUES ('a')", false],
  ["INSERT INTO words VALUES ('three')", false],
  ["DELETE FROM words WHERE word = 'one'", false],
  ["INSERT INTO contentless VALUES ('three')", false],
  ['INSERT INTO boxes VALUES (2, 1, 3)', false],
  ['DELETE FROM seen WHERE id = 1', false],
  ['CREATE TABLE missing(id INTEGER PRIMARY KEY)', false],
  ['CREATE TABLE n AS SELECT * FROM plain', true],
  ['CREATE TABLE child(p REFERENCES parent)', true],
  ['CREATE TABLE parent(id INTEGER PRIMARY KEY)', true],
  ['CREATE VIEW again AS SELECT 1', true],
  ['CREATE TRIGGER more AFTER DELETE ON plain BEGIN DELETE FROM notes; END', true],
  ['CREATE INDEX by_pos ON lists(pos, id)', true],
  ['DROP INDEX by_v', true],
  ['DROP INDEX by_w', true],
  ['DROP TRIGGER note', true],
  ['DROP VIEW seen', false],
  ['DROP TABLE keyed', false],
  ['ALTER TABLE plain ADD COLUMN z', false],
  ['ANALYZE', false],
];

let workspace: Workspace;
let client: Client;
const directory = () => join(workspace.root, 'files');

beforeAll(async () => {
  workspace = new Workspace('SELECT 1');
  mkdirSync(directory());
  const build = new Driver(join(workspace.root, 'original'));
  build.pragma('foreign_keys = 0');
  build.exec(schema);
  build.close();
  client = await workspace.connect({ allowWrite: true, importDirectory: directory() });
});
afterAll(async () => {
  await client.close();
  workspace[Symbol.dispose]();
});

/** Begins with the same database again. */
function reset(): void {
  const original = join(workspace.root, 'original');
  copyFileSync(original, `${original}-copy`);
  renameSync(`${original}-copy`, workspace.path);
}

/** Every row of every table, with its rowid and the type of each value, and the schema. */
function everything(): unknown {
  const driver = new Driver(workspace.path, { readonly: true });
  try {
    const objects = driver.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY 1, 2').raw().all();
    const tables = driver.prepare('PRAGMA table_list').all() as { name: string; type: string; wr: number }[];
    const rows = tables
      .filter(
        ({ name, type }) =>
          type !== 'view' && !name.startsWith('sqlite_schema') && !name.startsWith('sqlite_temp'),
      )
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name, type, wr }) => {
        const columns = driver
          .prepare('SELECT name FROM pragma_table_xinfo(?) WHERE hidden <> 1')
          .pluck()
          .all(name) as string[];
        const cells = columns.flatMap((column) => [
          `typeof("${column}")`,
          `quote(CAST("${column}" AS BLOB))`,
        ]);
        // No column here is named `_rowid_`.
        const rowid = wr === 1 || type === 'shadow' ? [] : ['_rowid_'];
        return [
          name,
          driver
            .prepare(`SELECT ${[...rowid, ...cells].join(', ')} FROM "${name}" ORDER BY 1, 2`)
            .raw()
            .all(),
        ];
      });
    return { objects, rows };
  } finally {
    driver.close();
  }
}

/** The statements that an answer names to undo its write. */
function undoIn(text: string): readonly string[] {
  const one = /^Undo: ([^]*)$/m.exec(text)?.[1];
  if (one !== undefined) return [one];
  const [, several] = text.split('\nUndo, in one write:\n- ');
  return several?.split('\n- ') ?? [];
}

/** Runs the undo in the answer, and compares everything with before. Returns whether the answer had one. */
async function follow(before: unknown, answer: string, what: string): Promise<boolean> {
  const [sql, ...more] = undoIn(answer);
  if (sql === undefined) return false;
  const undone = await workspace.say(client, 'write', { sql, more });
  expect(undone, `${what}\n${answer}`).toMatch(/^(?:1\. )?Changed/);
  expect(everything(), `${what}\n${answer}`).toEqual(before);
  return true;
}

test.each(statements)('what the answer of %s says restores every table', async (sql, undone) => {
  reset();
  const before = everything();
  const answer = await workspace.say(client, 'write', { sql });
  expect(answer).toMatch(/^Changed/);
  expect(await follow(before, answer, sql)).toBe(undone);
});

const several = (from: typeof statements) =>
  fc.uniqueArray(fc.constantFrom(...from), { minLength: 2, maxLength: 4 });

test('what the answer of several statements says restores every table', { timeout: 600_000 }, async () => {
  let followed = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(several(statements), several(statements.filter(([, undone]) => undone))),
      async (chosen) => {
        reset();
        const before = everything();
        const [sql, ...more] = chosen.map(([each]) => each);
        const answer = await workspace.say(client, 'write', { sql, more });
        if (answer.startsWith('ERROR')) expect(everything(), answer).toEqual(before);
        else if (await follow(before, answer, [sql, ...more].join('\n'))) followed++;
      },
    ),
    { numRuns: 60 * times },
  );
  expect(followed).toBeGreaterThan(5);
});

test.each([
  ['plain', 'v,w\n1,a\n2,b\n', true],
  ['counted', 'v\nx\ny\n', true],
  ['conflict', 'replace,rowid,oid\n1,1,1\n', true],
  ['noted', 'v\n1\n2\n', false],
  ['replacing', 'u\na\nc\n', false],
  ['parents', 'code\nc\n', false],
  ['parents', 'id,code\n3,c\n4,d\n', false],
  ['lists', 'pos\n70\n80\n', true],
  ['keyed', 'k\nz\n', false],
  ['words', 'word\nz\n', false],
  ['fresh', 'a,b\n1,x\n', true],
  ['missing', 'id\n1\n', false],
])('what the answer of an import into %s says restores every table', async (table, content, undone) => {
  reset();
  const before = everything();
  writeFileSync(join(directory(), 'rows.csv'), content);
  const append = table !== 'fresh' && table !== 'missing';
  const answer = await workspace.say(client, 'import', { path: 'rows.csv', table, append });
  expect(answer).toMatch(/^Imported/);
  expect(await follow(before, answer, table)).toBe(undone);
});
