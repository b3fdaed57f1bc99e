import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@mcp/protocol/client';
import { spawnServer } from '@mcp/protocol/stdio';
import { describe, expect, test } from 'vitest';
import { OtherProcess } from './database-process.ts';
import { Workspace } from './workspace.ts';

const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));

async function connect(protocolVersion: string, ...args: readonly string[]): Promise<Client> {
  const server = spawnServer({ command: process.execPath, args: [program, ...args] });
  return Client.connect(server.channel, { protocolVersion });
}

/** What was told of each URI, and a way to wait for the next. */
class Heard {
  readonly told: string[] = [];
  #arrived: (() => void) | undefined;

  async subscribe(client: Client, uri: string): Promise<() => unknown> {
    return client.subscribe(uri, () => this.add(uri));
  }

  add(what: string): void {
    this.told.push(what);
    this.#arrived?.();
  }

  /** Waits until all of these have been told, and gives everything that was. */
  async until(...wanted: readonly string[]): Promise<string[]> {
    while (!wanted.every((uri) => this.told.includes(uri))) {
      await new Promise<void>((resolve) => (this.#arrived = resolve));
    }
    return this.told.splice(0).toSorted();
  }
}

const customers = 'sqlite://shop/table/customers';
const orders = 'sqlite://shop/table/orders';
const schema = 'sqlite://shop/schema';
const rows = 'sqlite://shop/table/customers/rows?limit=2';
const row = 'sqlite://shop/row/customers/1';

describe.each([
  { protocolVersion: '2025-11-25', wal: false },
  { protocolVersion: '2025-11-25', wal: true },
  { protocolVersion: '2026-07-28', wal: false },
  { protocolVersion: '2026-07-28', wal: true },
])('at $protocolVersion, with WAL: $wal', ({ protocolVersion, wal }) => {
  test('commits of another process are heard, each by its own subscribers only', async () => {
    using workspace = new Workspace(undefined, { wal });
    await using client = await connect(protocolVersion, workspace.path);
    using other = new OtherProcess(workspace.path);
    await other.run('SELECT 1');
    const heard = new Heard();
    for (const uri of [customers, orders, schema, rows, row]) await heard.subscribe(client, uri);
    await client.watchList('resources', () => heard.add('list'));
    // Up to 2025-11-25 the list is watched for whoever has seen it.
    await client.listResources();

    await other.run("UPDATE customers SET city = 'Ghent' WHERE id = 1");
    expect(await heard.until(customers, rows, row)).toEqual([row, customers, rows].toSorted());

    // What is undone is no change, and neither is a commit that leaves everything as it was: both come first here,
    // so that they would be told before what is waited for.
    await other.run('BEGIN; DELETE FROM orders; DELETE FROM customers; ROLLBACK');
    await other.run('UPDATE customers SET name = name');
    await other.run('INSERT INTO orders(customer_id, total) VALUES (3, 1)');
    expect(await heard.until(orders)).toEqual([orders]);

    await other.run("INSERT INTO customers(name) VALUES ('Dmitri')");
    expect(await heard.until(customers)).toEqual([customers]);

    await other.run('CREATE TABLE books(id INTEGER PRIMARY KEY)');
    expect(await heard.until(schema, 'list')).toEqual(['list', schema]);

    await other.run('DROP TABLE orders');
    expect(await heard.until(orders, schema, 'list')).toEqual(['list', schema, orders].toSorted());
  });

  test('a transaction is heard once it is committed, and not before', async () => {
    using workspace = new Workspace(undefined, { wal });
    await using client = await connect(protocolVersion, workspace.path);
    using other = new OtherProcess(workspace.path);
    const heard = new Heard();
    await heard.subscribe(client, customers);
    await heard.subscribe(client, 'memo://insights');
    // A cache this small writes to disk long before the commit.
    await other.run('PRAGMA cache_size = 2; BEGIN');
    await other.run(
      `INSERT INTO customers(name) WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 2000)
       SELECT 'name ' || x FROM c`,
    );
    await client.callTool('append_insight', { insight: 'A witness' });
    expect(await heard.until('memo://insights')).toEqual(['memo://insights']);
    await other.run('COMMIT');
    expect(await heard.until(customers)).toEqual([customers]);
  });

  test('a file that is put in the place of the database is heard, and nothing after the end', async () => {
    using workspace = new Workspace(undefined, { wal });
    await using client = await connect(protocolVersion, workspace.path);
    const heard = new Heard();
    const stop = await heard.subscribe(client, row);
    await heard.subscribe(client, customers);
    const fresh = workspace.make(
      join(workspace.outside, 'fresh.db'),
      "CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO customers VALUES (1, 'Zoe')",
    );
    renameSync(fresh, workspace.path);
    expect(await heard.until(customers, row)).toEqual([row, customers].toSorted());
    await stop();
    using other = new OtherProcess(workspace.path);
    await other.run("UPDATE customers SET name = 'Yan'");
    expect(await heard.until(customers)).toEqual([customers]);
  });
});

test('a lock that is held for long is no change', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  using other = new OtherProcess(workspace.path);
  const heard = new Heard();
  await client.watchList('resources', () => heard.add('list'));
  await other.run("UPDATE customers SET city = 'Ghent' WHERE id = 2; BEGIN EXCLUSIVE");
  // What asks after the watcher, and once more after that, waits longer than it does.
  for (const sql of ['SELECT 1 FROM customers', 'SELECT 2 FROM customers']) {
    expect(await workspace.say(client, 'query', { sql })).toContain('SQLITE_BUSY');
  }
  expect(heard.told).toEqual([]);
  await other.run('COMMIT; CREATE TABLE books(id INTEGER PRIMARY KEY)');
  expect(await heard.until('list')).toEqual(['list']);
});

test.each(['2025-11-25', '2026-07-28'])(
  'at %s, what this server writes itself is heard',
  async (protocolVersion) => {
    using workspace = new Workspace();
    await using client = await connect(protocolVersion, '--allow-write', workspace.path);
    const heard = new Heard();
    await heard.subscribe(client, customers);
    await client.callTool('write', { sql: 'DELETE FROM customers WHERE id = 3' });
    expect(await heard.until(customers)).toEqual([customers]);
  },
);

test.each(['2025-11-25', '2026-07-28'])(
  'at %s, insights are shared by servers, and heard by all of them',
  async (protocolVersion) => {
    using workspace = new Workspace();
    await using first = await connect(protocolVersion, workspace.path);
    await using second = await connect(protocolVersion, workspace.path);
    const heard = new Heard();
    await heard.subscribe(first, 'memo://insights');
    await second.callTool('append_insight', { insight: 'Ada buys most' });
    await heard.until('memo://insights');
    const { contents } = await first.readResource('memo://insights');
    const file = readFileSync(`${workspace.path}.insights.jsonl`, 'utf8');
    expect((contents[0] as { text: string }).text).toBe(file);
    expect(JSON.parse(file)).toEqual({ insight: 'Ada buys most', at: expect.any(String) });
    // Appended by many at once, every line is whole.
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

test('what does not exist cannot be subscribed to', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  for (const uri of [
    'sqlite://shop/table/nobody',
    'sqlite://other/schema',
    'sqlite://shop/row/customers/99',
  ]) {
    await expect(
      client.subscribe(uri, () => {}),
      uri,
    ).rejects.toThrow();
  }
});
