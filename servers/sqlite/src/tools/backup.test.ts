import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Driver from 'better-sqlite3';
import { expect, test } from 'vitest';
import { OtherProcess } from '../../test/database-process.ts';
import { Workspace } from '../../test/workspace.ts';

const schema = `
  CREATE TABLE a(n INTEGER); CREATE TABLE b(n INTEGER); CREATE TABLE filler(x);
  INSERT INTO a VALUES (0); INSERT INTO b VALUES (0);
  ${fill(1500)}
`;

function fill(pages: number): string {
  return `INSERT INTO filler WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c LIMIT ${pages})
    SELECT zeroblob(3000) FROM c;`;
}

test.each([{ wal: true }, { wal: false }])(
  'a backup holds one commit while another process writes ($wal)',
  async ({ wal }) => {
    using workspace = new Workspace(schema, { wal });
    chmodSync(workspace.path, 0o640);
    using other = new OtherProcess(workspace.path);
    await using client = await workspace.connect({ exportDirectory: workspace.outside });
    await other.run('PRAGMA synchronous = OFF');
    let commits = 0;
    let done = false;
    const writes = (async () => {
      while (!done) {
        await other.run('BEGIN IMMEDIATE; UPDATE a SET n = n + 1; UPDATE b SET n = n + 1; COMMIT');
        commits++;
      }
    })();
    await expect.poll(() => commits).toBeGreaterThan(2);
    const progress: number[] = [];
    const { content } = await client.callTool(
      'export',
      { path: 'copy.db', format: 'db' },
      { onProgress: (pages) => progress.push(pages) },
    );
    done = true;
    await writes;
    const path = join(workspace.outside, 'copy.db');
    expect(content).toEqual([
      { type: 'text', text: `Backed up to ${JSON.stringify(path)}, ${statSync(path).size} bytes` },
    ]);
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(progress.length).toBeGreaterThan(1);
    expect(readdirSync(workspace.outside).toSorted()).toEqual(['copy.db', 'secret.db']);
    const copy = new Driver(path);
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(copy.prepare('SELECT a.n = b.n, (SELECT count(*) FROM filler) FROM a, b').raw().get()).toEqual([
      1, 1_500,
    ]);
    copy.close();
  },
);

test('a backup overwrites nothing, stays inside the export directory, and has no sql', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({ exportDirectory: workspace.outside });
  const backup = (path: string, more = {}) =>
    workspace.say(client, 'export', { path, format: 'db', ...more });
  symlinkSync(workspace.root, join(workspace.outside, 'link'));
  const before = workspace.disk;
  expect(await backup('secret.db')).toContain('File exists: "secret.db"');
  expect(await backup('../root/x.db')).toContain('Outside the export directory');
  expect(await backup('link/x.db')).toContain('Outside the export directory');
  expect(await backup('x.db-wal')).toContain('Reserved file name');
  expect(await backup('x.db', { sql: 'SELECT 1' })).toBe(
    'ERROR The format db takes no sql: it backs up the whole database\nUse csv, jsonl or md for a query',
  );
  expect(await workspace.say(client, 'export', { path: 'x.csv', format: 'csv' })).toContain(
    'Missing argument "sql"',
  );
  expect(workspace.disk).toBe(before);
  const both = await Promise.all([backup('two.db'), backup('two.db')]);
  expect(both.toSorted()).toEqual([
    expect.stringContaining('Backed up to "/outside/two.db"'),
    expect.stringContaining('ERROR File exists'),
  ]);
  const bytes = (path: string) => readFileSync(path).subarray(100);
  expect(bytes(join(workspace.outside, 'two.db')).equals(bytes(workspace.path))).toBe(true);
});

test('a cancelled backup, and one of a damaged database, leave no file', async () => {
  // The backup of a small database could end before the cancellation arrives on a busy machine.
  using workspace = new Workspace(schema + fill(20_000));
  const damaged = join(workspace.root, 'damaged.db');
  writeFileSync(damaged, readFileSync(workspace.path).fill(0xff, 0, 100));
  const exportDirectory = join(workspace.root, 'exports');
  mkdirSync(exportDirectory);
  await using client = await workspace.connect({ exportDirectory, paths: [workspace.path, damaged] });
  const cancel = new AbortController();
  const backup = client.callTool(
    'export',
    { path: 'copy.db', format: 'db', database: 'shop' },
    { signal: cancel.signal, onProgress: () => cancel.abort() },
  );
  await expect(backup).rejects.toThrow();
  expect(
    await workspace.say(client, 'export', { path: 'x.db', format: 'db', database: 'damaged' }),
  ).toContain('SQLITE_NOTADB');
  await expect.poll(() => readdirSync(exportDirectory)).toEqual([]);
});
