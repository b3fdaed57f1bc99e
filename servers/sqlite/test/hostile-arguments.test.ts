import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@mcp/protocol/testing';
import { hostileCases, type HostileCalls, publishedArguments, triedArguments } from '@mcp/test-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shareProcesses, Workspace } from './workspace.ts';

shareProcesses();

/** More than any message repeats. */
const maxTextLength = 32 * 1024;

const texts = ['', '\0', 'a\u202eb\u001b[2J', '\ud800', '__proto__', 'x'.repeat(100_000)];
const notStrings = [null, 1, true, [], {}];
const statements = [
  ...texts,
  ...notStrings,
  'PRAGMA query_only = 0',
  "ATTACH '../outside/secret.db' AS s",
  'SELECT 1; DROP TABLE customers',
  "VACUUM INTO 'copy.db'",
  "SELECT load_extension('x')",
  "SELECT readfile('../outside/secret.db')",
  'BEGIN',
];
const reading = [...statements, 'DELETE FROM customers', 'DROP TABLE customers'];
const writing = [...statements, 'SELECT 1', 'CREATE TEMP TABLE x(y)', 'CREATE TABLE temp.x(y)'];
const paths = [
  ...texts,
  ...notStrings,
  '..',
  '.',
  '/',
  '../outside/secret.db',
  '../shop.db',
  'link/new.csv',
  'secret.csv',
  'pipe.csv',
  'directory.csv',
  'C:\\x.csv',
  'new.csv\0.db',
  'shop.db-wal',
];
const parameters = [
  null,
  'x',
  7,
  [[]],
  [[1], 2],
  [{ $int: '1e99' }],
  [{ $blob: '*' }],
  [{ $cut: 'x' }],
  [2 ** 53],
  [{ nested: { deep: [] } }],
  { __proto__: { a: 1 }, ':a': 1, '@a': 2 },
  Array.from({ length: 40_000 }, () => 1),
];
const integers = [0, -1, 1.5, 2 ** 53, 1e308, '1', null];
const booleans = [1, 'maybe', {}];
const databases = [
  ...texts,
  ...notStrings.filter((value) => value !== null),
  'secret',
  '../outside/secret.db',
  'shop.db/../secret.db',
];
const names = [
  ...texts,
  ...notStrings,
  'customers; DROP TABLE orders',
  'sqlite_schema',
  'temp.x',
  'customers"',
];
const cursors = [...texts, ...notStrings, 'eyJ4IjoxfQ', 'W10', '../x'];

/** A valid call of each tool, and for each argument the values that it has to survive. */
const hostile: HostileCalls = {
  query: {
    valid: { sql: 'SELECT 1' },
    values: {
      sql: reading,
      params: parameters,
      compare: reading,
      limit: integers,
      cursor: cursors,
      timeout_ms: [...integers, 600_001],
      format: [...texts, ...notStrings, 'db'],
      database: databases,
    },
  },
  explain: {
    valid: { sql: 'SELECT 1' },
    values: { sql: statements, params: parameters, database: databases },
  },
  list_tables: { valid: {}, values: { filter: names, cursor: cursors, database: databases } },
  describe_table: {
    valid: { table: 'customers' },
    values: { table: names, profile: booleans, cursor: cursors, database: databases },
  },
  search: {
    valid: { text: 'Ada' },
    values: { text: names, table: names, limit: integers, database: databases },
  },
  append_insight: {
    valid: { insight: 'x', database: 'missing' },
    values: { insight: [...notStrings], database: databases },
  },
  write: {
    valid: { sql: 'UPDATE customers SET name = name WHERE id = 9', dry_run: true },
    values: {
      sql: writing,
      params: parameters,
      more: [
        ...booleans,
        ...writing.map((sql) => [sql]),
        ...parameters.map((params) => [{ sql: 'DELETE FROM orders', params }]),
        [{}],
        [[]],
      ],
      dry_run: booleans,
      timeout_ms: [...integers, 600_001],
      create: booleans,
      database: databases,
    },
  },
  import: {
    valid: { path: 'good.csv', table: 'new', dry_run: true },
    values: {
      path: paths,
      table: names,
      append: booleans,
      dry_run: booleans,
      create: booleans,
      database: databases,
    },
  },
  export: {
    // Refused, so that no file is created.
    valid: { sql: 'SELECT 1', path: '../never.csv', format: 'csv' },
    values: {
      sql: reading,
      params: parameters,
      path: paths.filter((path) => path !== '__proto__' && path !== 'C:\\x.csv'),
      format: [...texts, ...notStrings, 'exe', 'db'],
      database: databases,
    },
  },
};

let workspace: Workspace;
let client: Client;

beforeAll(async () => {
  workspace = new Workspace();
  const files = join(workspace.root, 'files');
  mkdirSync(join(files, 'directory.csv'), { recursive: true });
  workspace.put('files/good.csv', 'a,b\n1,2\n');
  symlinkSync(workspace.outside, join(files, 'link'));
  symlinkSync(join(workspace.outside, 'secret.db'), join(files, 'secret.csv'));
  execFileSync('mkfifo', [join(files, 'pipe.csv')]);
  client = await workspace.connect({
    allowWrite: true,
    allowCreate: true,
    importDirectory: files,
    exportDirectory: files,
    // Where a statement is confirmed, it is refused.
    elicit: () => Promise.resolve({ action: 'decline' }),
  });
});
afterAll(async () => {
  await client.close();
  workspace[Symbol.dispose]();
});

test('hostile values are there for every argument that is published', async () => {
  expect(triedArguments(hostile)).toEqual(await publishedArguments(client));
});

test.each(hostileCases(hostile))(
  'hostile values of $argument in $tool change no file, and the server answers',
  async ({ tool, argument, valid, tries }) => {
    const before = workspace.disk;
    for (const value of tries) {
      const shown = `${argument}: ${JSON.stringify(value)?.slice(0, 80)}`;
      const { content, structuredContent } = await client.callTool(tool, { ...valid, [argument]: value });
      const text = JSON.stringify([content, structuredContent]);
      expect(text.length, shown).toBeLessThan(maxTextLength);
      expect(text, shown).not.toContain('SECRET');
      if (workspace.disk !== before) expect.fail(`${shown} changed a file`);
    }
    expect(await workspace.rows(client, 'SELECT count(*) FROM customers')).toEqual([[3]]);
  },
);
