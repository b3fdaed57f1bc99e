import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@mcp/protocol/client';
import { spawnServer } from '@mcp/protocol/stdio';
import { expect, test, vi } from 'vitest';
import { OtherProcess } from './database-process.ts';
import { Workspace } from './workspace.ts';

// The tests wait for time limits.
vi.setConfig({ testTimeout: 120_000 });

const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));
const endless = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c';

test.each(['', '-shm', '-wal', '-journal'])(
  'a FIFO as shop.db%s does not block the server while it is subscribed',
  async (suffix) => {
    using workspace = new Workspace(undefined, { wal: suffix !== '-journal' });
    using other = new OtherProcess(workspace.path);
    await other.run('UPDATE customers SET city = 1 WHERE id = 1');
    const idle = workspace.putDatabase('idle.db', 'CREATE TABLE t(x)');
    const server = spawnServer({ command: process.execPath, args: [program, workspace.path, idle] });
    await using client = await Client.connect(server.channel, {
      revision: '2025-11-25',
      timeoutMs: 20_000,
    });
    await client.subscribe('sqlite://shop/table/customers', () => {});
    const path = workspace.path + suffix;
    rmSync(path, { force: true });
    execFileSync('mkfifo', [path]);
    const query = (database: string, sql: string, timeout_ms: number) =>
      workspace.say(client, 'query', { database, sql, timeout_ms });
    const answer = await query('shop', endless, 2_500);
    expect(answer).toMatch(suffix === '' ? /Not a regular file/ : /^ERROR /);
    // Takes longer than the polling interval of subscriptions.
    if (suffix === '') await query('idle', endless, 2_500);
    for (let round = 0; round < 3; round++) {
      await client.ping();
      await query('shop', 'SELECT 1 FROM customers', 1_000);
    }
  },
);

test('a parent directory that becomes a symlink leads to no other database', async () => {
  using workspace = new Workspace();
  const directory = join(workspace.root, 'data');
  const other = join(workspace.outside, 'data');
  for (const [path, word] of [
    [directory, 'allowed'],
    [other, 'forbidden'],
  ] as const) {
    mkdirSync(path);
    workspace.make(join(path, 'w.db'), `CREATE TABLE w(word); INSERT INTO w VALUES ('${word}')`);
  }
  await using client = await workspace.connect({
    paths: [join(directory, 'w.db')],
    allowWrite: true,
  });
  expect(await workspace.rows(client, 'SELECT word FROM w')).toEqual([['allowed']]);
  renameSync(directory, `${directory}.moved`);
  symlinkSync(other, directory);
  const before = readFileSync(join(other, 'w.db'));
  const refused = 'The directory was replaced by a symlink';
  expect(await workspace.say(client, 'query', { sql: 'SELECT word FROM w' })).toContain(refused);
  expect(await workspace.say(client, 'write', { sql: 'UPDATE w SET word = 0' })).toContain(refused);
  expect(await workspace.say(client, 'append_insight', { insight: 'x' })).toContain(refused);
  await expect(client.readResource('memo://insights')).resolves.toMatchObject({ contents: [{ text: '' }] });
  expect(readFileSync(join(other, 'w.db'))).toEqual(before);
  expect(readdirSync(dirname(join(other, 'w.db')))).toEqual(['w.db']);
  rmSync(directory);
  renameSync(`${directory}.moved`, directory);
  expect(await workspace.rows(client, 'SELECT word FROM w')).toEqual([['allowed']]);
});
