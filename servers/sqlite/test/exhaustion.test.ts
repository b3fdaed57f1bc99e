import { type ChildProcess, spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from '@mcp/protocol/client';
import { spawnServer } from '@mcp/protocol/stdio';
import { expect, test, vi } from 'vitest';
import { big } from './big-table.ts';
import { Workspace } from './workspace.ts';

// Queries that never end use every processor.
vi.setConfig({ testTimeout: 120_000 });

const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));
const endless = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c';
/** Four processes for long queries, the active process, the one that retries jobs, and three spares. */
const maxProcesses = 9;
const timedOut = /^ERROR SQLITE_INTERRUPT: Not finished within \d+ ms/;

test.each([
  [47, endless],
  [49, 'SELECT count(*) FROM big a, big b, big c'],
  [54, "SELECT instr(printf('%.*c', 20000000, 'a'), printf('%.*c', 10000000, 'a') || 'b')"],
])('S%i: an endless query ends at its deadline, and the next query is answered', async (_, sql) => {
  using workspace = new Workspace(big);
  await using client = await workspace.connect({ revision: '2025-11-25' });
  const running = workspace.say(client, 'query', { sql, timeout_ms: 400 });
  await client.ping();
  expect(await running).toMatch(timedOut);
  expect(await workspace.rows(client, 'SELECT 1')).toEqual([[1]]);
});

test('a pattern of 48,000 characters is matched, and a longer one is an error of SQLite', async () => {
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

test('an endless query returns the rows up to the limit', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  const { structuredContent } = await client.callTool('query', {
    sql: 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c',
    limit: 1_000,
    format: 'json',
  });
  expect(structuredContent).toMatchObject({ rowCount: 1_000, truncated: true });
});

test('cancelling a query kills its process, and the next query is answered', async () => {
  using workspace = new Workspace();
  using processes = new StartedProcesses();
  await using client = await workspace.connect({ revision: '2025-11-25' });
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

test('the pool has nine processes at most', async () => {
  using workspace = new Workspace(big);
  using processes = new StartedProcesses();
  await using client = await workspace.connect({ revision: '2025-11-25' });
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
});

test('a cheap query is answered while 64 endless queries wait, and all of them end', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({ revision: '2025-11-25', timeoutMs: 120_000 });
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

test.each([24, 28, 32, 36])(
  'with %i file descriptors, a process that cannot be started is reported',
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

test('the processes exit when the server is killed during a query', async () => {
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

  /** The child processes that have not exited or been killed. */
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
