import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@mcp/protocol/client';
import { spawnServer } from '@mcp/protocol/stdio';
import { everyFault, type Fault, Faults, noCompiler } from '@mcp/test-kit';
import Driver from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { Workspace } from './workspace.ts';

// They repeat each write for each call that may fail.
vi.setConfig({ testTimeout: 300_000 });

const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));
const { EIO, ENOSPC } = constants.errno;
const depth = 2 * Number(process.env['GENERATED_TIMES'] ?? 1);

const schema = 'CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT); CREATE INDEX i ON t(v)';
const fill =
  "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 200) INSERT INTO t(v) SELECT 'old ' || x FROM c";

/** A database in a directory where calls fail, and the built server that may write to it. */
class FaultyDatabase extends Workspace {
  readonly imports = join(this.root, 'imports');
  readonly exports = join(this.root, 'exports');

  constructor(wal: boolean) {
    super(schema, { wal });
    for (const directory of [this.imports, this.exports]) mkdirSync(directory);
    writeFileSync(join(this.imports, 'rows.csv'), 'v\n"new 1"\n"new 2"\n');
  }

  /** Opens it as another program does, which repairs what a killed one has left. */
  #open<T>(work: (database: Driver.Database) => T): T {
    const database = new Driver(this.path);
    try {
      return work(database);
    } finally {
      database.close();
    }
  }

  reset(): void {
    this.#open((database) => database.exec(`DROP TABLE IF EXISTS u; DELETE FROM t; ${fill}`));
  }

  /** The content of all tables, of a database that is whole. */
  content(): string {
    return this.#open((database) => {
      expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
      const tables = database
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
        .pluck()
        .all() as string[];
      return JSON.stringify(tables.map((name) => [name, database.prepare(`SELECT * FROM "${name}"`).all()]));
    });
  }
}

/** The built server for a database, and the faults of its calls for paths in `directory`. */
async function startFaulty(workspace: FaultyDatabase, args: readonly string[], directory: string) {
  const faults = Faults.compile(workspace.base, directory);
  if (!faults) return undefined;
  const stderr: string[] = [];
  const server = spawnServer({
    stderr: (line) => void stderr.push(line),
    command: process.execPath,
    args: [program, ...args, workspace.path],
    env: faults.env,
  });
  const client = await Client.connect(server.channel);
  return {
    say: (fault: Fault, tool: string, args: Record<string, unknown>) =>
      faults.during(fault, () => workspace.say(client, tool, args)),
    async [Symbol.asyncDispose]() {
      await client.close();
      await server.stop();
      faults[Symbol.dispose]();
      // For example, no warning of listeners that stay.
      expect(stderr).toEqual([]);
    },
  };
}

const writes: readonly (readonly [tool: string, args: Record<string, unknown>])[] = [
  ['write', { sql: "UPDATE t SET v = 'new ' || id" }],
  [
    'write',
    { sql: "INSERT INTO t(v) VALUES ('new')", more: ['DELETE FROM t WHERE id < 100', 'CREATE TABLE u(a)'] },
  ],
  ['import', { path: 'rows.csv', table: 'u' }],
  ['import', { path: 'rows.csv', table: 't', append: true }],
];

test.for([
  { mode: 'a rollback journal', wal: false },
  { mode: 'a write-ahead log', wal: true },
])(
  'whatever call fails, a write with $mode has happened or not, as its answer says',
  async ({ wal }, context) => {
    using workspace = new FaultyDatabase(wal);
    const args = ['--allow-write', '--import', workspace.imports];
    await using server = await startFaulty(workspace, args, workspace.root);
    if (!server) return context.skip(noCompiler);
    const count = { refused: 0, done: 0, unknown: 0 };
    for (const [tool, args] of writes)
      await everyFault([EIO, ENOSPC, 'kill'], depth, async (fault) => {
        workspace.reset();
        const old = workspace.content();
        const { result: said, occurred } = await server.say(fault, tool, args);
        const isOld = workspace.content() === old;
        const what = `${tool} ${JSON.stringify(args)} with ${JSON.stringify(fault)}: ${said}`;
        // What a killed commit has done is unknown, and the answer says so.
        const isUnknown = said.includes('The commit had begun');
        if (!isUnknown) expect(isOld, what).toBe(said.startsWith('ERROR'));
        // In words, and not only with the code of the error.
        if (said.startsWith('ERROR')) expect(said, what).toMatch(/\n|: .+: /);
        count[isUnknown ? 'unknown' : isOld ? 'refused' : 'done'] += Number(occurred);
        return occurred;
      });
    expect(count.refused).toBeGreaterThan(60);
    expect(count.done).toBeGreaterThan(2);
    expect(count.unknown > 2).toBe(!wal);
  },
);

const exports: readonly (readonly [name: string, args: Record<string, unknown>])[] = [
  ['e.csv', { sql: 'SELECT * FROM t', format: 'csv' }],
  ['e.jsonl', { sql: 'SELECT * FROM t', format: 'jsonl' }],
  ['e.db', { format: 'db' }],
];

test('whatever call fails, an export is whole or absent, as its answer says', async (context) => {
  using workspace = new FaultyDatabase(false);
  workspace.reset();
  const { exports: directory } = workspace;
  await using server = await startFaulty(workspace, ['--export', directory], directory);
  if (!server) return context.skip(noCompiler);
  const count = { refused: 0, done: 0 };
  for (const [path, args] of exports) {
    let whole: Buffer | undefined;
    await everyFault([EIO, ENOSPC], depth, async (fault) => {
      for (const name of readdirSync(directory)) rmSync(join(directory, name));
      const { result: said, occurred } = await server.say(fault, 'export', { path, ...args });
      const what = `${path} with ${JSON.stringify(fault)}: ${said}`;
      const isRefused = said.startsWith('ERROR');
      const left = readdirSync(directory);
      // A temporary file that cannot be deleted stays.
      if (fault.call !== 'unlink') expect(left, what).toEqual(isRefused ? [] : [path]);
      expect(left.includes(path), what).toBe(!isRefused);
      if (isRefused) expect(said, what).not.toContain('.tmp');
      if (isRefused) expect(said, what).toMatch(/\n|: .+: /);
      else
        expect(readFileSync(join(directory, path)), what).toEqual(
          (whole ??= readFileSync(join(directory, path))),
        );
      count[isRefused ? 'refused' : 'done'] += Number(occurred);
      return occurred;
    });
    expect(whole!.length).toBeGreaterThan(1_000);
  }
  expect(count.refused).toBeGreaterThan(20);
  expect(count.done).toBeGreaterThan(5);
});
