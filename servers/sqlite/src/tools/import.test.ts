import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@mcp/protocol/client';
import { spawnServer } from '@mcp/protocol/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

const program = fileURLToPath(new URL('../../dist/main.cjs', import.meta.url));

// The tests share one server, because each test imports into tables with other names.
let workspace: Workspace;
let client: Client;

beforeAll(async () => {
  workspace = new Workspace();
  mkdirSync(join(workspace.root, 'files'));
  client = await workspace.connect(writable());
});
afterAll(async () => {
  await client.close();
  workspace[Symbol.dispose]();
});

function writable() {
  return { allowWrite: true, importDirectory: join(workspace.root, 'files') };
}

function put(name: string, content: string | Buffer): string {
  writeFileSync(join(workspace.root, 'files', name), content);
  return name;
}

const say = (args: Record<string, unknown>) => workspace.say(client, 'import', args);
const rows = (sql: string) => workspace.rows(client, sql);

test('a dry run shows the inferred types and the first rows, and changes nothing', async () => {
  const path = put(
    'people.csv',
    'id,name,zip,score,born,note\r\n1,"Ada, ""the first""",0150,1.5,1815-12-10,\r\n2,Ben,10115,2,,"a\r\nb"\r\n',
  );
  const before = workspace.disk;
  expect(await say({ path, table: 'people', dry_run: true })).toBe(
    'Would import 2 rows of "people.csv" (CSV with the delimiter ",") into the new table people\n' +
      '- id INTEGER\n- name TEXT\n- zip TEXT\n- score REAL\n- born TEXT, 1 empty\n- note TEXT, 1 empty\n' +
      'First rows:\n["1","Ada, \\"the first\\"","0150","1.5","1815-12-10","NULL"]\n' +
      '["2","Ben","10115","2","NULL","a\\r\\nb"]\nDry run: nothing was changed',
  );
  expect(workspace.disk).toBe(before);
  const imported = await say({ path, table: 'people' });
  expect(imported).toMatch(/^Imported 2 rows of "people.csv"[^]*\nUndo: DROP TABLE "people"$/);
  expect(await rows('SELECT *, typeof(score) FROM people')).toEqual([
    [1, 'Ada, "the first"', '0150', 1.5, '1815-12-10', null, 'real'],
    [2, 'Ben', '10115', 2, null, 'a\r\nb', 'real'],
  ]);
  expect(await workspace.say(client, 'write', { sql: 'DROP TABLE "people"' })).toContain('Changed');
});

test('2,000 rows are imported in one call, with progress', async () => {
  const lines = Array.from(
    { length: 12_000 },
    (_, index) => `${index + 1}\t${'name'.repeat(50)}\t${index / 8}`,
  );
  const path = put('many.tsv', `id\tname\tvalue\n${lines.join('\n')}\n`);
  const progress: string[] = [];
  const { content } = await client.callTool(
    'import',
    { path, table: 'many' },
    { onProgress: (done, total, message) => progress.push(`${done <= total!} ${message}`) },
  );
  expect((content[0] as { text: string }).text).toMatch(/^Imported 12,000 rows of /);
  expect(await rows('SELECT count(*), sum(id), sum(value) FROM many')).toEqual([
    [12_000, 72_006_000, 8_999_250],
  ]);
  expect(progress).toEqual(['true 5000 rows', 'true 10000 rows', 'true 5000 rows', 'true 10000 rows']);
});

test('text that is not UTF-8 comes back from JSON Lines as text', async () => {
  const path = put('raw.jsonl', '{"v":{"$text":"ff41fe"},"n":1}\n{"v":"plain","n":2}\n');
  await client.callTool('import', { path, table: 'raw' });
  await client.callTool('import', { path, table: 'raw', append: true });
  expect(await rows('SELECT typeof(v), hex(v), n FROM raw ORDER BY rowid')).toEqual([
    ['text', 'FF41FE', 1],
    ['text', '706C61696E', 2],
    ['text', 'FF41FE', 1],
    ['text', '706C61696E', 2],
  ]);
});

test.each([
  ['semicolons', 'a.csv', 'a;b\n1;2,5\n', [[1, '2,5']]],
  ['a byte order mark', 'b.csv', '\uFEFFa,b\n1,x\n', [[1, 'x']]],
  ['UTF-16', 'c.csv', Buffer.from('\uFEFFa\tb\n1\té\n', 'utf16le'), [[1, 'é']]],
  ['no newline at the end', 'd.csv', 'a,b\n1,x', [[1, 'x']]],
  ['an empty text in quotes', 'e.csv', 'a,b\n"",\n', [['', null]]],
  [
    'integers beyond 2^53 and beyond 64 bits',
    'f.csv',
    'a,b\n9007199254740993,9223372036854775808\n',
    [[{ $int: '9007199254740993' }, '9223372036854775808']],
  ],
  [
    'decimals that a REAL would round',
    'g.csv',
    'a,b\n0.12345678901234567890,0.1\n',
    [['0.12345678901234567890', 0.1]],
  ],
  [
    'a column of all numbers, one too long',
    'h.csv',
    'a,b\n1.5,1\n9007199254740993,2\n',
    [
      ['1.5', 1],
      ['9007199254740993', 2],
    ],
  ],
  ['names that are missing or repeated', 'i.csv', ',A,a\n1,2,3\n', [[1, 2, 3]]],
  [
    'JSON',
    'a.json',
    '[{"a": 1, "b": "x"}, {"b": null, "c": [1, {"d": 2}]}]',
    [
      [1, 'x', null],
      [null, null, '[1,{"d":2}]'],
    ],
  ],
  [
    'JSON Lines of an export',
    'b.jsonl',
    '{"a":{"$int":"9007199254740993"}}\n{"a":9007199254740995}\n',
    [[{ $int: '9007199254740993' }], [{ $int: '9007199254740995' }]],
  ],
  ['JSON of mixed types', 'c.json', '[{"a":1},{"a":"1"},{"a":true},{"a":1.5}]', [[1], ['1'], [1], [1.5]]],
])('imports %s without loss', async (_, name, content, expected) => {
  const table = name.replace('.', '_');
  expect(await say({ path: put(name, content), table })).toContain('Imported');
  expect(await rows(`SELECT * FROM ${table}`)).toEqual(expected);
});

test('append adds rows by the names of columns, and says how to remove them', async () => {
  const path = put('more.csv', 'CITY,name\nBern,Dora\n,Emil\n');
  expect(await say({ path, table: 'customers', append: true })).toMatch(
    /into the table customers\n- city TEXT, 1 empty\n- name TEXT\nUndo: DELETE FROM "customers" WHERE rowid BETWEEN 4 AND 5$/,
  );
  expect(await rows('SELECT name, city FROM customers WHERE id > 3')).toEqual([
    ['Dora', 'Bern'],
    ['Emil', null],
  ]);
  expect(await say({ path, table: 'customers' })).toBe(
    'ERROR A table "customers" exists\nChoose another name, or add the rows to the table with append',
  );
  expect(await say({ path, table: 'customer', append: true })).toContain(
    'no such table: customer\nDid you mean "customers"?',
  );
  expect(await say({ path: put('odd.csv', 'name,ctiy\nx,y\n'), table: 'customers', append: true })).toBe(
    'ERROR The table "customers" has no column "ctiy"\nDid you mean "city"?\nThe columns of the table are id, name, city',
  );
});

test.each([
  ['ragged rows', 'r.csv', 'a,b\n1,2\n3\n', 'Line 3 has 1 fields; the header has 2'],
  ['a quoted field without an end', 'q.csv', 'a\n"x\n', 'Line 2: a quoted field has no closing quote'],
  ['text after a quote', 't.csv', 'a,b\n"x"y,1\n', 'Line 2: text after a closing quote: "y,1\\n"'],
  ['an empty file', 'n.csv', '', 'The file is empty; expected a header'],
  [
    'bytes that are not UTF-8',
    'u.csv',
    Buffer.from('a\nx\xff\n', 'latin1'),
    'The file is not UTF-8 text: it has invalid bytes after byte 0',
  ],
  ['NUL', 'z.csv', 'a\nx\0\n', 'The file is not text: it has a NUL character after byte 0'],
  [
    '2,001 columns',
    'w.csv',
    `${Array.from({ length: 2_001 }, (_, index) => `c${index}`).join(',')}\n`,
    'The file has 2001 columns; SQLite allows 2000',
  ],
  ['JSON that ends early', 'e.json', '[{"a":1}, {"a":', 'Line 1: a JSON object has no closing brace'],
  ['JSON without commas', 'm.json', '[{"a":1} {"a":2}]', 'Line 1: expected , or ] after an object'],
  ['JSON that is no object', 'o.json', '[1]', 'Line 1: expected a JSON object'],
  [
    'JSON that is nested too deep',
    'd.json',
    `{"a":1}\n{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
    'Line 2: an object is nested in more than 1000 levels',
  ],
  ['invalid JSON', 'i.json', '{"a":1}\n{"a":x}', 'Line 2: object 2 is not JSON'],
  ['an unknown format', 'x.xlsx', 'a', 'Unknown format: "x.xlsx"; expected a name that ends with .csv'],
])('%s are refused, and nothing is imported', async (_, name, content, message) => {
  const before = workspace.disk.split('\n').filter((line) => line.includes('shop.db'));
  expect(await say({ path: put(name, content), table: 'refused' })).toContain(`ERROR ${message}`);
  expect(workspace.disk.split('\n').filter((line) => line.includes('shop.db'))).toEqual(before);
});

test('links, FIFOs, directories and files outside the import directory are refused', async () => {
  const files = join(workspace.root, 'files');
  writeFileSync(join(workspace.outside, 'secret.csv'), 'word\nSECRET\n');
  symlinkSync(join(workspace.outside, 'secret.csv'), join(files, 'link.csv'));
  symlinkSync(workspace.outside, join(files, 'outside'));
  spawnSync('mkfifo', [join(files, 'fifo.csv')]);
  mkdirSync(join(files, 'directory.csv'));
  const table = 'stolen';
  put('people.csv', 'id\n1\n');
  const link = 'ERROR Not a regular file: "link.csv"\nSymlinks are not followed';
  expect(await say({ path: 'link.csv', table })).toBe(link);
  expect(await say({ path: 'fifo.csv', table })).toBe('ERROR Not a regular file: "fifo.csv"');
  expect(await say({ path: 'directory.csv', table })).toContain('Not a regular file');
  for (const path of [
    'outside/secret.csv',
    '../shop.db',
    join(workspace.outside, 'secret.csv'),
    '../../etc/passwd',
  ]) {
    expect(await say({ path, table })).toMatch(/Outside the import directory|No such directory/);
  }
  expect(await say({ path: 'peopel.csv', table })).toBe(
    'ERROR No such file: "peopel.csv"\nDid you mean "people.csv" or "more.csv"?',
  );
  expect(await say({ path: 'x\0.csv', table })).toContain('NUL');
  // A hard link inside the import directory can be imported like the file.
  linkSync(join(files, 'people.csv'), join(files, 'hard.csv'));
  expect(await say({ path: 'hard.csv', table: 'hard' })).toContain('Imported');
});

test('a header of 10 GB is refused after 16 Mi characters', async () => {
  const path = put('endless.csv', Buffer.alloc(17 * 1024 * 1024, 'a'));
  const file = join(workspace.root, 'files', path);
  truncateSync(file, 10 * 1024 * 1024 * 1024);
  expect(await say({ path, table: 'endless' })).toBe(
    'ERROR Line 1: a record is longer than 16777216 characters',
  );
  // Other tests read every file of the workspace.
  rmSync(file);
});

test('a file that changes while it is read is not imported', async () => {
  const line = `${'x'.repeat(100)}\n`;
  const path = put('growing.csv', `a\n${line.repeat(20_000)}`);
  const imported = client.callTool(
    'import',
    { path, table: 'growing' },
    { onProgress: () => appendFileSync(join(workspace.root, 'files', path), line) },
  );
  const { content, isError } = await imported;
  expect([isError, (content[0] as { text: string }).text]).toEqual([
    true,
    'The file changed while it was read: "growing.csv"\nNothing was imported; try again',
  ]);
  expect(await rows("SELECT count(*) FROM sqlite_schema WHERE name = 'growing'")).toEqual([[0]]);
});

test('a cancelled import changes nothing, and the next one works', async () => {
  const path = put('long.csv', `a\n${'1\n'.repeat(400_000)}`);
  const cancel = new AbortController();
  const imported = client.callTool(
    'import',
    { path, table: 'long' },
    {
      signal: cancel.signal,
      // The cancellation arrives in the second half, the second pass over the file, which inserts rows.
      onProgress: (done, total) => done > total! * 0.6 && cancel.abort(),
    },
  );
  await expect(imported).rejects.toThrow();
  expect(await say({ path: put('short.csv', 'a\n1\n'), table: 'long' })).toContain('Imported 1 row ');
});

test('of two servers that import into one new table, one does, and the other says that it exists', async () => {
  await using other = await workspace.connect(writable());
  const path = put('both.csv', `a\n${'1\n'.repeat(20_000)}`);
  const all = await Promise.all(
    [client, other].map((each) => workspace.say(each, 'import', { path, table: 'both' })),
  );
  expect(all.toSorted()).toEqual([
    expect.stringContaining('ERROR A table "both" exists'),
    expect.stringContaining('Imported 20,000 rows'),
  ]);
  expect(await rows('SELECT count(*) FROM both')).toEqual([[20_000]]);
});

test('an import that the disk does not hold changes nothing', async () => {
  using small = new Workspace();
  writeFileSync(join(small.root, 'large.csv'), `a\n${`${'x'.repeat(99)}\n`.repeat(4_000)}`);
  const limited = `trap '' XFSZ; ulimit -f 200; exec "$0" "$@"`;
  const args = [program, '--allow-write', '--import', small.root, small.path];
  const server = spawnServer({
    command: '/bin/sh',
    args: ['-c', limited, process.execPath, ...args],
    env: { NODE_DISABLE_COMPILE_CACHE: '1' },
  });
  await using other = await Client.connect(server.channel);
  expect(await small.say(other, 'import', { path: 'large.csv', table: 'large' })).toMatch(
    /^ERROR SQLITE_(?:FULL|IOERR)/,
  );
  expect(
    await small.rows(other, 'SELECT count(*), (SELECT count(*) FROM sqlite_schema) FROM orders'),
  ).toEqual([[3, 2]]);
  expect(await small.say(other, 'write', { sql: 'DELETE FROM orders WHERE id = 1' })).toContain(
    'Changed 1 row',
  );
});

test('a row that breaks a constraint is named, and no row is imported', async () => {
  const path = put('broken.csv', 'id,name\n11,x\n12,y\n11,z\n');
  expect(await say({ path, table: 'customers', append: true })).toContain(
    'SQLITE_CONSTRAINT_PRIMARYKEY: Record 3: UNIQUE constraint failed: customers.id',
  );
  expect(await rows('SELECT count(*) FROM customers WHERE id > 10')).toEqual([[0]]);
});
