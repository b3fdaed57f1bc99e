import { type ChildProcess, spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from '@mcp/protocol/client';
import { spawnServer } from '@mcp/protocol/stdio';
import { expect, test, vi } from 'vitest';
import { Workspace } from './workspace.ts';

const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));
const endless = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c';
const big = `CREATE TABLE big(id INTEGER PRIMARY KEY, v TEXT);
  INSERT INTO big(v) WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 20000) SELECT 'value ' || x FROM c;`;
/** Four for long queries, the active one, the one on probation, and three spares. */
const maxProcesses = 9;
const timedOut = /^ERROR SQLITE_INTERRUPT: Not finished within \d+ ms/;

test.each([
  [47, endless],
  [49, 'SELECT count(*) FROM big a, big b, big c'],
  [54, "SELECT instr(printf('%.*c', 20000000, 'a'), printf('%.*c', 10000000, 'a') || 'b')"],
])('S%i: an endless query ends at its deadline, and the next query is answered', async (_, sql) => {
  using workspace = new Workspace(big);
  await using client = await workspace.connect({ protocolVersion: '2025-11-25' });
  const running = workspace.say(client, 'query', { sql, timeout_ms: 400 });
  await client.ping();
  expect(await running).toMatch(timedOut);
  expect(await workspace.rows(client, 'SELECT 1')).toEqual([[1]]);
});

test('S54: a pattern of 48,000 characters is matched, and a longer one is an error of SQLite', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  const text = 'a'.repeat(50_000);
  for (const [operator, any] of [
    ['LIKE', '%a'],
    ['GLOB', '*a'],
  ] as const) {
    const sql = `SELECT ? ${operator} ?`;
    expect(await workspace.rows(client, sql, [text, `${any.repeat(24_000)}${any[0]}b`])).toEqual([[0]]);
    expect(await workspace.say(client, 'query', { sql, params: [text, any.repeat(25_001)] })).toBe(
      'ERROR SQLITE_ERROR: LIKE or GLOB pattern too complex',
    );
  }
});

test('S48: an endless query returns the rows up to the limit', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  const { structuredContent } = await client.callTool('query', {
    sql: 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c',
    limit: 1_000,
    format: 'json',
  });
  expect(structuredContent).toMatchObject({ rowCount: 1_000, truncated: true });
});

test('S47: cancelling a query kills its process, and the next query is answered', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({ protocolVersion: '2025-11-25' });
  using processes = new StartedProcesses();
  await workspace.rows(client, 'SELECT 1');
  const cancel = new AbortController();
  const running = client.callTool('query', { sql: endless }, { signal: cancel.signal });
  expect(await workspace.rows(client, 'SELECT 2')).toEqual([[2]]);
  const computing = await vi.waitFor(
    () => {
      const found = processes.alive.find(({ pid }) => computedMs(pid) > 500);
      if (!found) throw new Error('No process is at the query');
      return found;
    },
    { timeout: 60_000 },
  );
  const ended = once(computing, 'exit');
  cancel.abort();
  await expect(running).rejects.toThrow();
  expect(await ended).toEqual([null, 'SIGKILL']);
  expect(await workspace.rows(client, 'SELECT 3')).toEqual([[3]]);
});

test('S56: the pool has nine processes at most', async () => {
  using workspace = new Workspace(big);
  await using client = await workspace.connect({ protocolVersion: '2025-11-25' });
  using processes = new StartedProcesses();
  for (let index = 0; index < 50; index++) {
    expect(await workspace.rows(client, `SELECT ${index}`)).toEqual([[index]]);
  }
  await Promise.all(Array.from({ length: 500 }, () => workspace.rows(client, 'SELECT 1')));
  expect(processes.alive.length).toBeLessThanOrEqual(maxProcesses);
  const long = 'SELECT count(*) FROM big a, big b WHERE a.id < 30 AND a.v < b.v';
  for (let index = 0; index < 3; index++) {
    await Promise.all(Array.from({ length: 8 }, () => workspace.rows(client, long)));
    expect(processes.alive.length).toBeLessThanOrEqual(maxProcesses);
  }
  const cancel = new AbortController();
  const crowd = Array.from({ length: 32 }, () =>
    client.callTool('query', { sql: endless }, { signal: cancel.signal }).catch(() => 'cancelled'),
  );
  expect(await workspace.rows(client, 'SELECT 2')).toEqual([[2]]);
  expect(processes.alive.length).toBeLessThanOrEqual(maxProcesses);
  cancel.abort();
  expect(new Set(await Promise.all(crowd))).toEqual(new Set(['cancelled']));
  expect(await workspace.rows(client, 'SELECT 3')).toEqual([[3]]);
  expect(processes.alive.length).toBeLessThanOrEqual(maxProcesses);
}, 60_000);

test('S56: a cheap query is answered while 64 endless queries wait, and all of them end', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({ protocolVersion: '2025-11-25', timeoutMs: 120_000 });
  const cancels = Array.from({ length: 64 }, () => new AbortController());
  const crowd = cancels.map(async ({ signal }) =>
    client.callTool('query', { sql: endless, timeout_ms: 5_000 }, { signal }).catch(() => 'cancelled'),
  );
  const answered: string[] = [];
  const first = workspace.rows(client, 'SELECT 1').then(() => answered.push('cheap'));
  const one = Promise.race(crowd).then(() => answered.push('endless'));
  await first;
  cancels.forEach((cancel, index) => index % 2 && cancel.abort());
  await one;
  expect(answered).toEqual(['cheap', 'endless']);
  expect(await workspace.rows(client, 'SELECT 2')).toEqual([[2]]);
  const outcomes = await Promise.all(crowd);
  expect(outcomes.filter((outcome) => outcome === 'cancelled')).toHaveLength(32);
  for (const outcome of outcomes) {
    if (typeof outcome === 'object')
      expect((outcome.content[0] as { text: string }).text).toMatch(/^SQLITE_INTERRUPT/);
  }
  expect(await workspace.rows(client, 'SELECT 3')).toEqual([[3]]);
}, 120_000);

test('S50, S52: a value that is too large is an error of SQLite, too much memory an error of the server', async () => {
  using workspace = new Workspace(big);
  await using client = await workspace.connect({ maxMemory: 192 * 1024 * 1024 });
  const say = (sql: string) => workspace.say(client, 'query', { sql });
  for (const sql of [
    'SELECT randomblob(1000000000)',
    'SELECT zeroblob(1e9)',
    "SELECT printf('%.*c', 1000000000, 'x')",
  ]) {
    expect(await say(sql), sql).toMatch(/^ERROR SQLITE_(?:TOOBIG|NOMEM): /);
  }
  for (const sql of [
    'SELECT length(hex(randomblob(250000000)))',
    "SELECT length(group_concat(hex(randomblob(20000)), '')) FROM big",
    'SELECT json_group_array(hex(randomblob(20000))) FROM big',
  ]) {
    expect(await say(sql), sql).toMatch(/^ERROR SQLITE_(?:NOMEM|TOOBIG): /);
    expect(await workspace.rows(client, 'SELECT 1')).toEqual([[1]]);
  }
}, 60_000);

test('S51, S55: a large value is cut, with its length', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({ maxMemory: 2 ** 31 });
  expect(await workspace.rows(client, "SELECT zeroblob(20000000), printf('%.*c', 20000000, 'é')")).toEqual([
    [
      { $cut: '00'.repeat(64), bytes: 20_000_000, type: 'blob' },
      { $cut: 'é'.repeat(1_000), bytes: 40_000_000, type: 'text' },
    ],
  ]);
  expect(await workspace.say(client, 'query', { sql: 'SELECT zeroblob(200000000)' })).toContain(
    '(200000000 bytes)',
  );
});

test('S52: finished statements release their memory', async () => {
  using workspace = new Workspace();
  // Until V8 collects everything, the process grows to 200 MB; statements that are kept need 210 MB more.
  await using client = await workspace.connect({ maxMemory: 300 * 1024 * 1024 });
  const sum = Array.from({ length: 400 }, () => 'abs(id)').join(' + ');
  // A query waits at most 30 seconds for those before it.
  for (let round = 0; round < 10; round++) {
    const each = Array.from({ length: 200 }, (_, index) => round * 200 + index);
    await Promise.all(
      each.map((index) => workspace.rows(client, `SELECT ${index}, ${sum} FROM customers WHERE id = 1`)),
    );
  }
  // Long enough for the memory of its process to be checked.
  const count =
    'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 4000000) SELECT count(*) FROM c';
  expect(await workspace.rows(client, count)).toEqual([[4_000_000]]);
});

test('S53: PRAGMA hard_heap_limit is refused', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'query', { sql: 'PRAGMA hard_heap_limit=10000000' })).toMatch(
    /^ERROR Only/,
  );
});

test('S55: many rows, many columns and long rows stay within the limits', async () => {
  using workspace = new Workspace(big);
  await using client = await workspace.connect({ maxBytes: 64 * 1024 });
  const call = async (sql: string) => {
    const result = await client.callTool('query', { sql, limit: 1_000_000, format: 'json' });
    return { ...result, length: JSON.stringify(result.structuredContent ?? null).length };
  };
  const many = await call("SELECT '' FROM big a, big b");
  expect(many.structuredContent).toMatchObject({ rowCount: 10_000, truncated: true });
  const rows = await call('SELECT * FROM big');
  expect(rows.structuredContent).toMatchObject({ truncated: true });
  expect(rows.length).toBeLessThan(66 * 1024);
  const columns = await call(
    `SELECT ${Array.from({ length: 2_000 }, (_, index) => `1 AS c${index}`).join(', ')}`,
  );
  expect(columns.structuredContent).toMatchObject({ rowCount: 1, columns: { length: 2_000 } });
  const long = await call(
    `SELECT ${Array.from({ length: 10 }, () => "printf('%.*c', 10000, 'x')").join(', ')}`,
  );
  expect(long.isError).toBe(true);
  expect(long.content).toEqual([
    {
      type: 'text',
      text: 'One row exceeds 65536 bytes\nSelect fewer columns, or parts of values with substr()',
    },
  ]);
});

test('S55: a large answer is complete, also when its last text is not UTF-8', async () => {
  using workspace = new Workspace(`${big} INSERT INTO big(v) VALUES (CAST(x'ff' AS TEXT));`);
  await using client = await workspace.connect({ maxRows: 100_000, maxBytes: 100_000_000 });
  const { structuredContent, content } = await client.callTool('query', {
    sql: 'SELECT * FROM big',
    limit: 100_000,
    format: 'json',
  });
  const { rows, rowCount } = structuredContent as { rows: unknown[][]; rowCount: number };
  expect([rows.length, rowCount]).toEqual([20_001, 20_001]);
  expect(rows[19_999]).toEqual([20_000, 'value 20000']);
  expect(rows[20_000]).toEqual([20_001, { $text: 'ff' }]);
  const { text } = content[0] as { text: string };
  expect(text).toBe('20001 rows in structuredContent');
});

test('S55: a long text ends with a cursor, by which the next rows follow', async () => {
  using workspace = new Workspace(`${big} INSERT INTO big(v) VALUES (CAST(x'ff' AS TEXT));`);
  await using client = await workspace.connect({ maxRows: 100_000 });
  const seen: string[] = [];
  let pages = 0;
  for (let cursor: string | undefined = ''; cursor !== undefined; pages++) {
    const text = await workspace.say(client, 'query', {
      sql: 'SELECT v FROM big WHERE id > 18000',
      limit: 10_000,
      format: 'csv',
      ...(cursor !== '' && { cursor }),
    });
    expect(text.length).toBeLessThan(17_000);
    const [rows = '', note] = text.split('\n\n');
    seen.push(...rows.split('\n').slice(1));
    cursor = /^\d+ rows; there are more: continue with cursor "([^"]+)"$/.exec(note ?? '')?.[1];
  }
  expect([pages, seen.length, seen[0], seen.at(-1)]).toEqual([
    2,
    2_001,
    'value 18001',
    '"{""$text"":""ff""}"',
  ]);
});

test.each([24, 28, 32, 36])(
  'S56: with %i file descriptors, a process that cannot be started is reported',
  async (files) => {
    using workspace = new Workspace();
    const limited = `ulimit -n ${files}; exec "$0" "$@"`;
    const server = spawnServer({
      command: '/bin/sh',
      args: ['-c', limited, process.execPath, program, workspace.path],
    });
    await using client = await Client.connect(server.channel);
    const ask = (sql: string) => workspace.say(client, 'query', { sql, timeout_ms: 500, format: 'csv' });
    const answers = await Promise.all([ask('SELECT 1'), ...Array.from({ length: 6 }, () => ask(endless))]);
    for (const answer of answers) {
      expect(answer).toMatch(/^1\n1$|^ERROR (?:No database process could be started|SQLITE_INTERRUPT)/);
    }
    expect((await client.listTools()).length).toBeGreaterThan(0);
  },
);

test('S47: the processes exit when the server is killed during a query', async () => {
  using workspace = new Workspace();
  const server = spawn(process.execPath, [program, workspace.path], { stdio: 'pipe' });
  const lines = createInterface(server.stdout);
  const send = (message: object) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'test', version: '1.0.0' };
  send({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
  });
  await once(lines, 'line');
  send({ id: 2, method: 'tools/call', params: { name: 'query', arguments: { sql: 'SELECT 1' } } });
  await once(lines, 'line');
  send({ id: 3, method: 'tools/call', params: { name: 'query', arguments: { sql: endless } } });
  send({ id: 4, method: 'tools/call', params: { name: 'query', arguments: { sql: 'SELECT 2' } } });
  expect(JSON.parse(((await once(lines, 'line')) as [string])[0])).toMatchObject({ id: 4 });
  expect(children(server.pid).length).toBeGreaterThan(0);
  // All processes share it, so that it ends with the last of them.
  const ended = once(server.stderr.resume(), 'end');
  server.kill('SIGKILL');
  await ended;
});

/** The processes that are started during a test. */
class StartedProcesses implements Disposable {
  readonly #all: ChildProcess[] = [];
  readonly #onStart = (message: unknown) => {
    this.#all.push((message as { process: ChildProcess }).process);
  };

  constructor() {
    subscribe('child_process', this.#onStart);
  }

  /** Those that have not exited or been killed. */
  get alive(): readonly ChildProcess[] {
    return this.#all.filter((each) => !each.killed && each.exitCode === null && each.signalCode === null);
  }

  [Symbol.dispose](): void {
    unsubscribe('child_process', this.#onStart);
  }
}

/** Processes whose parent this is. */
function children(parent: number | undefined): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => parentOf(pid) === String(parent))
    .map(Number);
}

/** CPU time of a process in milliseconds. */
function computedMs(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function parentOf(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1];
  } catch {
    return undefined;
  }
}
