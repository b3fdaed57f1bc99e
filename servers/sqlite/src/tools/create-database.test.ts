import { existsSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '@mcp/test-kit';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { problem, Workspace } from '../../test/workspace.ts';

const program = fileURLToPath(new URL('../../dist/main.cjs', import.meta.url));

test('a database is created only by a call with create, all or nothing', async () => {
  using workspace = new Workspace();
  const path = join(workspace.root, 'new.db');
  writeFileSync(join(workspace.root, 'words.csv'), 'word\nhello\n');
  await using client = await workspace.connect({
    paths: [path],
    allowWrite: true,
    allowCreate: true,
    importDirectory: workspace.root,
  });
  const write = (args: object) => workspace.say(client, 'write', { ...args });
  const sql = 'CREATE TABLE t(v)';
  const missing =
    'ERROR SQLITE_CANTOPEN: No such database: "/root/new.db"\nA write or import with create: true creates the database';
  expect(await workspace.say(client, 'query', { sql: 'SELECT 1' })).toBe(missing);
  expect(await write({ sql })).toBe(missing);
  expect(await write({ sql, create: true, dry_run: true })).toContain('Dry run');
  expect(await write({ sql: 'CREATE TABLE t(', create: true })).toContain('SQLITE_ERROR');
  expect(
    await workspace.say(client, 'import', { path: 'words.csv', table: 'w', create: true, dry_run: true }),
  ).toContain('Would import 1 row ');
  expect(existsSync(path)).toBe(false);
  expect(await workspace.say(client, 'import', { path: 'words.csv', table: 'w', create: true })).toContain(
    '\nThe database was created\n',
  );
  expect(await write({ sql, create: true })).toContain('Changed');
  expect(await workspace.rows(client, 'SELECT * FROM w')).toEqual([['hello']]);
  expect(readdirSync(workspace.root).toSorted()).toEqual(['new.db', 'shop.db', 'words.csv']);
});

test('a server without --create creates nothing, and a link without a target is no new database', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({ allowWrite: true });
  expect(await workspace.say(client, 'write', { sql: 'CREATE TABLE t(v)', create: true })).toBe(
    'ERROR Creating a database is not allowed\nLeave out create, or start the server with --create to allow it',
  );
  const link = join(workspace.root, 'link.db');
  symlinkSync(join(workspace.outside, 'made.db'), link);
  for (const paths of [[link], [join(workspace.root, 'gone', 'x.db')]]) {
    expect(await problem(() => workspace.connect({ paths, allowWrite: true, allowCreate: true }))).toContain(
      'No such directory',
    );
  }
  const { stderr, code } = await runProgram(program, [workspace.path, '--create']);
  expect(stderr).toContain('--create needs --allow-write too');
  expect(code).not.toBe(0);
  expect(existsSync(join(workspace.outside, 'made.db'))).toBe(false);
});

test('of two servers that create one database, both write to it', async () => {
  using workspace = new Workspace();
  const options = { paths: [join(workspace.root, 'new.db')], allowWrite: true, allowCreate: true };
  await using first = await workspace.connect(options);
  await using second = await workspace.connect(options);
  const made = await Promise.all(
    [first, second].map((client, index) =>
      workspace.say(client, 'write', { sql: `CREATE TABLE t${index}(v)`, create: true }),
    ),
  );
  expect(made.every((text) => text.startsWith('Changed'))).toBe(true);
  expect(await workspace.rows(first, 'SELECT count(*) FROM sqlite_schema')).toEqual([[2]]);
});
