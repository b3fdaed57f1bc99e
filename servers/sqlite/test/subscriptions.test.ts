import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@mcp/protocol/client';
import { spawnServer } from '@mcp/protocol/stdio';
import { describe, expect, test, vi } from 'vitest';
import { OtherProcess } from './database-process.ts';
import { Workspace } from './workspace.ts';

// The tests wait for locks and for other processes.
vi.setConfig({ testTimeout: 120_000 });

const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));

async function connect(revision: string, ...args: readonly string[]): Promise<Client> {
  const server = spawnServer({ command: process.execPath, args: [program, ...args] });
  return Client.connect(server.channel, { revision });
}

/** The notifications so far, and a way to wait for the next. */
class Notifications {
  readonly all: string[] = [];
  #arrived: (() => void) | undefined;

  async subscribe(client: Client, uri: string): Promise<() => unknown> {
    return client.subscribe(uri, () => this.add(uri));
  }

  add(what: string): void {
    this.all.push(what);
    this.#arrived?.();
  }

  /** Waits until all of these have arrived. Returns every notification so far, and forgets them. */
  async until(...wanted: readonly string[]): Promise<string[]> {
    while (!wanted.every((uri) => this.all.includes(uri))) {
      await new Promise<void>((resolve) => (this.#arrived = resolve));
    }
    return this.all.splice(0).toSorted();
  }
}

const customers = 'sqlite://shop/table/customers';
const orders = 'sqlite://shop/table/orders';
const schema = 'sqlite://shop/schema';
const rows = 'sqlite://shop/table/customers/rows?limit=2';
const row = 'sqlite://shop/row/customers/1';

describe.each([
  { revision: '2025-11-25', wal: false },
  { revision: '2025-11-25', wal: true },
  { revision: '2026-07-28', wal: false },
  { revision: '2026-07-28', wal: true },
])('at $revision, with WAL: $wal', ({ revision, wal }) => {
  test('a commit of another process notifies the subscribers of what it changed, and no others', async () => {
    using workspace = new Workspace(undefined, { wal });
    await using client = await connect(revision, workspace.path);
    using other = new OtherProcess(workspace.path);
    await other.run('SELECT 1');
    const received = new Notifications();
    for (const uri of [customers, orders, schema, rows, row]) await received.subscribe(client, uri);
    await client.watchList('resources', () => received.add('list'));
    // Up to 2025-11-25 the list is watched once the client has listed it.
    await client.listResources();

    await other.run("UPDATE customers SET city = 'Ghent' WHERE id = 1");
    expect(await received.until(customers, rows, row)).toEqual([row, customers, rows].toSorted());

    // A rollback and a commit without effect send nothing: their notifications would arrive
    // before the awaited one.
    await other.run('BEGIN; DELETE FROM orders; DELETE FROM customers; ROLLBACK');
    await other.run('UPDATE customers SET name = name');
    await other.run('INSERT INTO orders(customer_id, total) VALUES (3, 1)');
    expect(await received.until(orders)).toEqual([orders]);

    await other.run("INSERT INTO customers(name) VALUES ('Dmitri')");
    expect(await received.until(customers)).toEqual([customers]);

    await other.run('CREATE TABLE books(id INTEGER PRIMARY KEY)');
    expect(await received.until(schema, 'list')).toEqual(['list', schema]);

    await other.run('DROP TABLE orders');
    expect(await received.until(orders, schema, 'list')).toEqual(['list', schema, orders].toSorted());
  });

  test('a transaction notifies when it is committed, and not before', async () => {
    using workspace = new Workspace(undefined, { wal });
    await using client = await connect(revision, workspace.path);
    using other = new OtherProcess(workspace.path);
    const received = new Notifications();
    await received.subscribe(client, customers);
    await received.subscribe(client, 'memo://insights');
    // A cache this small writes to disk long before the commit.
    await other.run('PRAGMA cache_size = 2; BEGIN');
    await other.run(
      `INSERT INTO customers(name) WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 2000)
       SELECT 'name ' || x FROM c`,
    );
    await client.callTool('append_insight', { insight: 'A witness' });
    expect(await received.until('memo://insights')).toEqual(['memo://insights']);
    await other.run('COMMIT');
    expect(await received.until(customers)).toEqual([customers]);
  });

  test('a file that replaces the database notifies, and an ended subscription does not', async () => {
    using workspace = new Workspace(undefined, { wal });
    await using client = await connect(revision, workspace.path);
    const received = new Notifications();
    const stop = await received.subscribe(client, row);
    await received.subscribe(client, customers);
    const fresh = workspace.make(
      join(workspace.outside, 'fresh.db'),
      "CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO customers VALUES (1, 'Zoe')",
    );
    renameSync(fresh, workspace.path);
    expect(await received.until(customers, row)).toEqual([row, customers].toSorted());
    await stop();
    using other = new OtherProcess(workspace.path);
    await other.run("UPDATE customers SET name = 'Yan'");
    expect(await received.until(customers)).toEqual([customers]);
  });
});

test('a lock that is held for long is not reported as a change', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  using other = new OtherProcess(workspace.path);
  const received = new Notifications();
  await client.watchList('resources', () => received.add('list'));
  await other.run("UPDATE customers SET city = 'Ghent' WHERE id = 2; BEGIN EXCLUSIVE");
  // A query waits for the lock longer than the watcher does; two of them span a retry.
  for (const sql of ['SELECT 1 FROM customers', 'SELECT 2 FROM customers']) {
    expect(await workspace.say(client, 'query', { sql })).toContain('SQLITE_BUSY');
  }
  expect(received.all).toEqual([]);
  await other.run('COMMIT; CREATE TABLE books(id INTEGER PRIMARY KEY)');
  expect(await received.until('list')).toEqual(['list']);
});

test.each(['2025-11-25', '2026-07-28'])('at %s, a write of the server itself notifies', async (revision) => {
  using workspace = new Workspace();
  await using client = await connect(revision, '--allow-write', workspace.path);
  const received = new Notifications();
  await received.subscribe(client, customers);
  await client.callTool('write', { sql: 'DELETE FROM customers WHERE id = 3' });
  expect(await received.until(customers)).toEqual([customers]);
});

test.each(['2025-11-25', '2026-07-28'])(
  'at %s, insights are shared between servers and notify all of them',
  async (revision) => {
    using workspace = new Workspace();
    await using first = await connect(revision, workspace.path);
    await using second = await connect(revision, workspace.path);
    const received = new Notifications();
    await received.subscribe(first, 'memo://insights');
    await second.callTool('append_insight', { insight: 'Ada buys most' });
    await received.until('memo://insights');
    const { contents } = await first.readResource('memo://insights');
    const file = readFileSync(`${workspace.path}.insights.jsonl`, 'utf8');
    expect((contents[0] as { text: string }).text).toBe(file);
    expect(JSON.parse(file)).toEqual({ insight: 'Ada buys most', at: expect.any(String) });
    // Lines that many calls append concurrently are not interleaved.
    const many = Array.from({ length: 200 }, (_, index) =>
      [first, second][index % 2]!.callTool('append_insight', { insight: `${index} ${'x'.repeat(5_000)}` }),
    );
    await Promise.all(many);
    const lines = readFileSync(`${workspace.path}.insights.jsonl`, 'utf8').trimEnd().split('\n');
    expect(
      lines.map((line) => Number((JSON.parse(line) as { insight: string }).insight.split(' ')[0])).length,
    ).toBe(201);
  },
);

test('a subscription to a missing table, database or row is refused', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  for (const uri of [
    'sqlite://shop/table/missing',
    'sqlite://other/schema',
    'sqlite://shop/row/customers/99',
  ]) {
    await expect(
      client.subscribe(uri, () => {}),
      uri,
    ).rejects.toThrow();
  }
});
