import { existsSync, mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, type ClientOptions } from '@mcp/protocol/client';
import { spawnServer } from '@mcp/protocol/stdio';
import { describe, expect, test } from 'vitest';
import { OtherProcess } from './database-process.ts';
import { Workspace } from './workspace.ts';

const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));
const rows =
  'CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT); CREATE TABLE u(id INTEGER PRIMARY KEY, v TEXT);';
/** Does not end, and soon changes more than SQLite keeps in memory, so that it writes into the database. */
const endless = `INSERT INTO t(v) WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT zeroblob(100000) FROM c`;
const brief = `UPDATE u SET v = (WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c) WHERE id = 2`;
const interrupted =
  'ERROR SQLITE_READONLY_ROLLBACK: attempt to write a readonly database\n' +
  'Another process was interrupted while writing, and the database is read-only here, so it cannot be repaired: open it once with a program that may write to it';

/** A server in a process of its own. */
class RunningServer implements AsyncDisposable {
  readonly client: Client;
  readonly pid: number;
  readonly #server: ReturnType<typeof spawnServer>;

  private constructor(server: ReturnType<typeof spawnServer>, client: Client) {
    this.#server = server;
    this.client = client;
    this.pid = server.child.pid!;
  }

  static async start(args: readonly string[], options: ClientOptions = {}): Promise<RunningServer> {
    const server = spawnServer({ command: process.execPath, args: [program, ...args] });
    return new RunningServer(server, await Client.connect(server.channel, options));
  }

  /** The process that writes. */
  get writer(): number {
    const found = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .find((pid) => argumentsOf(pid).at(-1) === 'write' && statusOf(pid, 'PPid') === String(this.pid));
    if (found === undefined) throw new Error('No process writes');
    return Number(found);
  }

  /** Ends it by a signal that it may answer. */
  async end(signal: NodeJS.Signals): Promise<void> {
    process.kill(this.pid, signal);
    await this.#server.exited;
  }

  async kill(): Promise<void> {
    const { writer } = this;
    process.kill(this.pid, 'SIGKILL');
    await this.#server.exited;
    // The process notices the end of its server.
    const state = () => statusOf(String(writer), 'State') ?? 'gone';
    await expect.poll(state).toMatch(/^Z|^gone$/);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close().catch(() => {});
    await this.#server.stop();
  }
}

function argumentsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  } catch {
    return [];
  }
}

function statusOf(pid: string, field: string): string | undefined {
  try {
    return new RegExp(`^${field}:\\s+(.*)$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

class Written extends Workspace {
  readonly files = join(this.root, 'files');
  readonly wal: boolean;

  constructor(wal: boolean) {
    super(`${rows} INSERT INTO u(v) VALUES ('a'), ('b')`, { wal });
    this.wal = wal;
    mkdirSync(this.files);
  }

  /** Resolves when a write has changed the file, before its commit. */
  async isWriting(): Promise<void> {
    const file = this.wal ? `${this.path}-wal` : this.path;
    const size = () => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    await expect.poll(size, { timeout: 30_000, interval: 5 }).toBeGreaterThan(1_000_000);
  }

  /** Every way of reading, concurrently. */
  async readAll(client: Client, name = 'e.csv'): Promise<void> {
    const answers = await Promise.all([
      this.say(client, 'query', { sql: 'SELECT v FROM u', format: 'csv' }),
      this.say(client, 'list_tables'),
      this.say(client, 'describe_table', { table: 'u' }),
      this.say(client, 'search', { text: 'a', table: 'u' }),
      this.say(client, 'explain', { sql: 'SELECT * FROM u' }),
      this.say(client, 'export', { sql: 'SELECT v FROM u', path: name, format: 'csv' }),
      this.say(client, 'export', { path: `${name}.db`, format: 'db' }),
      client.readResource('sqlite://shop/table/u').then(({ contents }) => JSON.stringify(contents)),
    ]);
    expect(answers.filter((answer) => answer.includes('ERROR'))).toEqual([]);
    expect(answers[0]).toBe('v\na\nb');
  }
}

describe.each([
  { mode: 'rollback', wal: false },
  { mode: 'WAL', wal: true },
])('in $mode mode', ({ wal }) => {
  const args = (workspace: Written) => ['--allow-write', '--export', workspace.files, workspace.path];

  test('after a write that its time limit ended, every read is answered', { timeout: 60_000 }, async () => {
    using workspace = new Written(wal);
    await using server = await RunningServer.start(args(workspace));
    const { client } = server;
    for (const [index, dry_run] of [false, true, false].entries()) {
      const sql = index === 2 ? brief : endless;
      expect(await workspace.say(client, 'write', { sql, dry_run, timeout_ms: 700, more: [] })).toMatch(
        /^ERROR SQLITE_INTERRUPT: Not finished within 700 ms\nNothing was written/,
      );
      await workspace.readAll(client, `${index}.csv`);
    }
  });

  test('after a write that was cancelled, every read is answered', { timeout: 60_000 }, async () => {
    using workspace = new Written(wal);
    await using server = await RunningServer.start(args(workspace));
    const cancel = new AbortController();
    const written = server.client.callTool('write', { sql: endless }, { signal: cancel.signal });
    await workspace.isWriting();
    cancel.abort();
    await expect(written).rejects.toThrow();
    await workspace.readAll(server.client);
  });

  test(
    'after the trial of a confirmation that its time limit ended, every read is answered',
    { timeout: 60_000 },
    async () => {
      using workspace = new Written(wal);
      await using server = await RunningServer.start(args(workspace), {
        elicit: async () => ({ action: 'accept', content: { confirm: true } }),
      });
      const write = { sql: `DELETE FROM u`, more: [endless], timeout_ms: 700 };
      expect(await workspace.say(server.client, 'write', write)).toContain('Not finished within 700 ms');
      await workspace.readAll(server.client);
    },
  );

  test('after its writing process was killed, every read is answered', { timeout: 60_000 }, async () => {
    using workspace = new Written(wal);
    await using server = await RunningServer.start(args(workspace));
    const written = workspace.say(server.client, 'write', { sql: endless });
    await workspace.isWriting();
    process.kill(server.writer, 'SIGKILL');
    expect(await written).toBe('ERROR The database process exited (SIGKILL)\nNothing was written');
    await workspace.readAll(server.client);
    expect(await workspace.say(server.client, 'write', { sql: 'DELETE FROM u WHERE id = 1' })).toContain(
      'Changed',
    );
  });

  test.each([
    ['SIGTERM', false],
    ['SIGHUP', true],
  ] as const)(
    '%s during a write (as a dry run: %s) leaves a database that a reader can read',
    { timeout: 60_000 },
    async (signal, dry_run) => {
      using workspace = new Written(wal);
      await using server = await RunningServer.start(args(workspace));
      server.client.callTool('write', { sql: endless, dry_run }).catch(() => {});
      await workspace.isWriting();
      await server.end(signal);
      await expect.poll(() => existsSync(`${workspace.path}-journal`), { timeout: 30_000 }).toBe(false);
      await using reader = await RunningServer.start([workspace.path]);
      expect(await workspace.say(reader.client, 'query', { sql: 'SELECT v FROM u', format: 'csv' })).toBe(
        'v\na\nb',
      );
    },
  );

  test(
    'after a server was killed while writing, one that may write repairs the database by itself',
    { timeout: 60_000 },
    async () => {
      using workspace = new Written(wal);
      const killed = await RunningServer.start(args(workspace));
      killed.client.callTool('write', { sql: endless }).catch(() => {});
      await workspace.isWriting();
      await killed.kill();
      await using reader = await RunningServer.start([workspace.path]);
      const query = { sql: 'SELECT v FROM u', format: 'csv' };
      if (!wal) {
        expect(await workspace.say(reader.client, 'query', query)).toBe(interrupted);
        expect(await workspace.say(reader.client, 'list_tables')).toBe(interrupted);
      }
      await using server = await RunningServer.start(args(workspace));
      await workspace.readAll(server.client);
      expect(await workspace.say(reader.client, 'query', query)).toBe('v\na\nb');
    },
  );
});

test(
  'reads of a database that another process left behind are answered while a write waits',
  { timeout: 60_000 },
  async () => {
    using workspace = new Written(false);
    await using server = await RunningServer.start([
      '--allow-write',
      '--export',
      workspace.files,
      workspace.path,
    ]);
    const { client } = server;
    expect(await workspace.say(client, 'write', { sql: "UPDATE u SET v = 'a' WHERE id = 1" })).toContain(
      'Changed',
    );
    for (let round = 0; round < 3; round++) {
      using other = new OtherProcess(workspace.path);
      await other.run(`BEGIN IMMEDIATE; DELETE FROM u; ${endless} LIMIT 300`);
      const written = workspace.say(client, 'write', { sql: `UPDATE t SET v = ${round}` });
      await other.kill();
      await workspace.readAll(client, `${round}.csv`);
      expect(await written).toContain('Changed 0 rows');
    }
  },
);
