import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@mcp/protocol/client';
import { spawnServer } from '@mcp/protocol/stdio';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));
/** strace makes system calls fail, if the system allows tracing. */
const mayTrace = spawnSync('strace', ['-f', '-e', 'inject=getppid:error=EIO', 'true']).status === 0;

const rows = `CREATE TABLE t(v); WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 3000)
  INSERT INTO t SELECT printf('%0200d', x) FROM c`;
const sql = 'SELECT count(*), CAST(max(v) AS INTEGER) FROM t';

/** A server with some failing reads of the database: the n-th of each process, or all from there (`n+`). */
async function connectFailing(workspace: Workspace, when: string) {
  const inject = ['-e', 'trace=pread64', '-e', `inject=pread64:error=EIO:when=${when}`];
  const log = join(workspace.root, 'strace.log');
  const server = spawnServer({
    command: 'strace',
    args: [
      '-f',
      '-qq',
      '-o',
      log,
      '-P',
      workspace.path,
      ...inject,
      process.execPath,
      program,
      workspace.path,
    ],
  });
  return {
    client: await Client.connect(server.channel),
    failed: () => readFileSync(log, 'utf8').includes('(INJECTED)'),
  };
}

test.skipIf(!mayTrace).each(['1', '2', '3', '5', '20'])(
  'a read of the disk that fails once (number %s) is repeated',
  { timeout: 60_000 },
  async (when) => {
    using workspace = new Workspace(rows);
    const { client, failed } = await connectFailing(workspace, when);
    await using _ = client;
    for (const format of ['csv', 'jsonl']) {
      expect(await workspace.say(client, 'query', { sql, format })).toContain('3000');
    }
    expect(await workspace.say(client, 'list_tables')).toContain('t: table, 1 columns, 3,000 rows');
    expect(failed()).toBe(true);
  },
);

test.skipIf(!mayTrace)(
  'a disk that cannot be read is not called a damaged file',
  { timeout: 60_000 },
  async () => {
    using workspace = new Workspace(rows);
    const { client, failed } = await connectFailing(workspace, '8+');
    await using _ = client;
    expect(await workspace.say(client, 'query', { sql })).toBe(
      'ERROR SQLITE_IOERR_READ: disk I/O error\nThe disk failed to read the file, which may be undamaged: check the disk, and copy the file to another one',
    );
    expect(failed()).toBe(true);
  },
);

test('a file that is damaged is called so', async () => {
  using workspace = new Workspace(rows);
  await using client = await workspace.connect({ allowWrite: true });
  const bytes = readFileSync(workspace.path);
  writeFileSync(workspace.path, bytes.fill(0xa5, 8192, 40_960));
  expect(await workspace.say(client, 'query', { sql })).toBe(
    'ERROR SQLITE_CORRUPT: database disk image is malformed\nThe file is damaged; no rows are returned, because they may be wrong',
  );
  expect(await workspace.say(client, 'write', { sql: 'DELETE FROM t' })).toBe(
    'ERROR SQLITE_CORRUPT: database disk image is malformed\nThe file is damaged, or the disk failed to read it; nothing was written',
  );
});
