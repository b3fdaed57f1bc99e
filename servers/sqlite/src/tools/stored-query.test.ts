import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@mcp/protocol/client';
import { spawnServer } from '@mcp/protocol/stdio';
import { readQueries } from '@mcp/sqlite-pool';
import { runProgram } from '@mcp/test-kit';
import { expect, test } from 'vitest';
import { shareProcesses, Workspace } from '../../test/workspace.ts';
import { reservedNames } from '../tools.ts';

shareProcesses();

const program = fileURLToPath(new URL('../../dist/main.cjs', import.meta.url));

const file = `// Queries of the shop.
{
  "queries": {
    "orders_of": {
      "title": "Orders of a customer",
      "description": "The orders of a customer, the dearest first.",
      "sql": "SELECT id, total FROM orders WHERE customer_id = :customer AND total >= $least ORDER BY total DESC",
      "params": {
        "customer": { "type": "integer", "description": "Id of the customer", "minimum": 1 },
        "least": { "type": "number", "default": 0 },
      },
    },
    "customers_in": {
      "description": "Customers in a city, or all.",
      "sql": "SELECT name FROM customers WHERE @city IS NULL OR city = @city",
      "params": { "city": { "type": "string", "enum": ["Oslo", "Turin"], "default": null } },
    },
    "rename": {
      "description": "Renames a customer and deletes the orders.",
      "write": true,
      "sql": ["UPDATE customers SET name = :name WHERE id = :id", "DELETE FROM orders WHERE customer_id = :id"],
      "params": { "id": { "type": "integer" }, "name": { "type": "string" } },
    },
  },
}`;

const textOf = (workspace: Workspace, text: string) => {
  const path = join(workspace.outside, 'queries.json');
  writeFileSync(path, text);
  return path;
};

async function withQueries(options: { readonly allowWrite?: boolean } = {}, text = file) {
  const workspace = new Workspace();
  const queries = readQueries(textOf(workspace, text), reservedNames);
  return { workspace, client: await workspace.connect({ queries, ...options }) };
}

test('the queries of the file are tools with their parameters, and bring no other', async () => {
  const { workspace, client } = await withQueries();
  using _ = workspace;
  await using plain = await workspace.connect();
  const others = new Set((await plain.listTools()).map(({ name }) => name));
  const tools = (await client.listTools()).filter(({ name }) => !others.has(name));
  expect(tools).toEqual([
    {
      name: 'orders_of',
      title: 'Orders of a customer',
      description: 'The orders of a customer, the dearest first.',
      annotations: { readOnlyHint: true, openWorldHint: false },
      inputSchema: {
        type: 'object',
        properties: {
          customer: { type: 'integer', description: 'Id of the customer', minimum: 1 },
          least: { type: 'number', default: 0 },
          cursor: { type: 'string' },
        },
        required: ['customer'],
        additionalProperties: false,
      },
    },
    {
      name: 'customers_in',
      description: 'Customers in a city, or all.',
      annotations: { readOnlyHint: true, openWorldHint: false },
      inputSchema: {
        type: 'object',
        properties: { city: { type: 'string', enum: ['Oslo', 'Turin'] }, cursor: { type: 'string' } },
        additionalProperties: false,
      },
    },
  ]);
});

test('values are bound by their types, with defaults, and never become SQL', async () => {
  const { workspace, client } = await withQueries();
  using _ = workspace;
  const call = (tool: string, args: object = {}) => workspace.say(client, tool, { ...args });
  expect(await call('orders_of', { customer: 1 })).toBe(
    '| id | total |\n|---|---|\n| 1 | 10.0 |\n| 2 | 2.5 |',
  );
  expect(await call('orders_of', { customer: 1, least: 3.5 })).toContain('| 1 | 10.0 |');
  expect(await call('customers_in')).toContain('| Chiara |');
  expect(await call('customers_in', { city: 'Oslo' })).toBe('| name |\n|---|\n| Ada |');
  expect(await call('orders_of')).toContain(
    'ERROR Invalid arguments for orders_of: Missing argument "customer"',
  );
  expect(await call('orders_of', { customer: '1 OR 1' })).toContain(
    'Invalid "customer": "1 OR 1". Expected a value of the type integer',
  );
  expect(await call('orders_of', { customer: 0 })).toContain(
    'Invalid "customer": 0. Expected a value from 1',
  );
  expect(await call('customers_in', { city: "Oslo' OR 1 --" })).toContain('Expected one of "Oslo", "Turin"');
  expect(await call('orders_of', { customer: 1, sql: 'SELECT 1' })).toContain('ERROR');
});

test('a query that writes needs --allow-write and "write", is one transaction, and names its undo', async () => {
  const { workspace, client } = await withQueries({ allowWrite: true });
  using _ = workspace;
  const tool = (await client.listTools()).find(({ name }) => name === 'rename');
  expect(tool?.annotations).toEqual({ destructiveHint: true, openWorldHint: false });
  const text = await workspace.say(client, 'rename', { id: 1, name: "A'da" });
  expect(text).toMatch(/^1\. Changed 1 row\n2\. Changed 2 rows\nUndo, in one write:\n- INSERT INTO "orders"/);
  expect(await workspace.rows(client, 'SELECT name FROM customers WHERE id = 1')).toEqual([["A'da"]]);
  const warnings: string[] = [];
  const queries = readQueries(textOf(workspace, file), reservedNames);
  await using reading = await workspace.connect({ queries, warn: (message) => warnings.push(message) });
  expect(warnings).toEqual(['queries.json:18: rename writes, so it becomes a tool only with --allow-write']);
  await expect(reading.callTool('rename', { id: 1, name: 'x' })).rejects.toThrow('Unknown tool');
});

test('a failure of the SQL says whose it is, and a long answer continues', async () => {
  const { workspace, client } = await withQueries(
    {},
    `{"queries": {
      "broken": { "description": "x", "sql": "SELECT * FROM ordres" },
      "many": { "description": "x", "sql": "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 5000) SELECT x, printf('%.*c', 100, 'x') AS y FROM c" },
      "hidden": { "description": "x", "sql": "WITH x AS (SELECT 1) DELETE FROM orders RETURNING *" },
    }}`,
  );
  using _ = workspace;
  const before = workspace.disk;
  expect(await workspace.say(client, 'broken')).toBe(
    'ERROR SQLITE_ERROR: no such table: ordres\nDid you mean "orders"?\nThe operator can change the SQL: queries.json:2',
  );
  expect(await workspace.say(client, 'hidden')).toBe(
    'ERROR This statement writes; expected one that only reads\nThe operator can change the SQL: queries.json:4',
  );
  const first = await workspace.say(client, 'many');
  const cursor = /(\d+) rows; there are more: continue with cursor "([^"]+)"$/.exec(first)!;
  expect(await workspace.say(client, 'many', { cursor: cursor[2] })).toContain(
    `| ${Number(cursor[1]) + 1} |`,
  );
  expect(workspace.disk).toBe(before);
});

test('several databases: a query names its own, and reads others by their names', async () => {
  using workspace = new Workspace();
  const stats = workspace.putDatabase('stats.db', 'CREATE TABLE n(v); INSERT INTO n VALUES (7)');
  const paths = [workspace.path, stats];
  const query = (more: string) =>
    readQueries(
      textOf(
        workspace,
        `{"queries": {"both": {"description": "x", "sql": "SELECT name, v FROM customers, stats.n WHERE id = 1"${more}}}}`,
      ),
      reservedNames,
    );
  await using client = await workspace.connect({ paths, queries: query(', "database": "shop"') });
  expect(await workspace.say(client, 'both')).toContain('| Ada | 7 |');
  await expect(workspace.connect({ paths, queries: query('') })).rejects.toThrow(
    'queries.json:1: queries.both.database: Missing: expected one of "shop", "stats"',
  );
  await expect(workspace.connect({ paths, queries: query(', "database": "shp"') })).rejects.toThrow(
    'No such database: "shp"; expected one of "shop", "stats"',
  );
});

test('every fault of the file has its line, and what is expected', async () => {
  using workspace = new Workspace();
  const path = textOf(
    workspace,
    `{
  "queries": {
    "query": { "description": "x", "sql": "SELECT 1" },
    "no name": { "description": "x", "sql": "SELECT 1" },
    "a": { "sql": "SELECT :x, ?", "parms": {} },
    "b": { "description": "", "sql": "DELETE FROM orders" },
    "c": { "description": "x", "sql": "PRAGMA user_version" },
    "d": { "description": "x", "sql": "SELECT 1; SELECT 2" },
    "e": { "description": "x", "sql": "SELECT :n + :cursor", "params": {
      "n": { "type": "int" },
      "cursor": { "type": "string", "minimum": 1 },
      "unused": { "type": "integer", "default": "1", "enum": [1, "2"] }
    } },
    "f": { "description": "x", "sql": ["SELECT 1"], "write": "yes" }
  }
}`,
  );
  const { code, stderr, stdout } = await runProgram(program, [workspace.path, '--queries', path], {});
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr.replace(/^[\w-]+: /, '').split('\n')).toEqual([
    'queries.json:3: queries.query: A tool of the server has this name',
    'queries.json:4: queries.no name: A name has 1 to 64 letters, digits, "_" and "-", and begins with a letter',
    'queries.json:5: queries.a.parms: Unknown key; did you mean "params"?',
    'queries.json:5: queries.a.sql: Name each placeholder, as in :name, instead of "?"',
    'queries.json:5: queries.a.sql: The placeholder ":x" is none of "params": add it there, with its type',
    'queries.json:5: queries.a.description: Missing: expected a string that is not empty',
    'queries.json:6: queries.b.sql: Only SELECT, WITH and VALUES can be run here, not "DELETE"; "write": true allows statements that write',
    String.raw`queries.json:6: queries.b.description: Expected a string that is not empty, not "\"\""`,
    'queries.json:7: queries.c.sql: Only SELECT, WITH and VALUES can be run here, not "PRAGMA"',
    'queries.json:8: queries.d.sql: Two statements: a query that reads has one',
    String.raw`queries.json:10: queries.e.params.n.type: Expected one of string, integer, number, boolean, not "\"int\""`,
    'queries.json:11: queries.e.params.cursor: Tools of queries already have an argument of this name',
    'queries.json:11: queries.e.params.cursor.minimum: Does not apply to the type string',
    'queries.json:12: queries.e.params.unused.enum[1]: Expected a value of the type integer',
    'queries.json:12: queries.e.params.unused.default: Expected one of 1, "2"',
    'queries.json:12: queries.e.params.unused: Not used: write ":unused" into the SQL',
    String.raw`queries.json:14: queries.f.write: Expected true or false, not "\"yes\""`,
    String.raw`queries.json:14: queries.f.sql: Expected a string that is not empty, not "[\"SELECT 1\"]"`,
    'Run with --help for usage',
    '',
  ]);
});

test('the program publishes the queries of a file, and refuses one that is no JSON or is not there', async () => {
  using workspace = new Workspace();
  const path = textOf(workspace, file);
  const server = spawnServer({
    command: process.execPath,
    args: [program, workspace.path, '--queries', path],
    stderr: 'ignore',
  });
  await using client = await Client.connect(server.channel);
  expect(await workspace.say(client, 'customers_in', { city: 'Turin' })).toContain('| Ben |');
  const refused = async (text: string) => {
    writeFileSync(path, text);
    return (await runProgram(program, [workspace.path, '--queries', path], {})).stderr;
  };
  expect(await refused('{"queries": {\n"a": }}')).toMatch(/^[\w-]+: queries\.json:2:\d+: JSON: /);
  expect(await refused('[]')).toContain('queries.json:1: Expected an object');
  const missing = await runProgram(
    program,
    [workspace.path, '--queries', join(workspace.root, 'no.json')],
    {},
  );
  expect(missing.stderr).toMatch(/^[\w-]+: Cannot read the queries ".*no\.json": ENOENT/);
});

test('the query of the README takes as many bytes of the list of tools as it says', async () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const [, example = ''] = /each query of the file[^`]*```json\n([^`]*)```/.exec(readme) ?? [];
  const { workspace, client } = await withQueries({}, example);
  using _ = workspace;
  await using plain = await workspace.connect();
  const bytes = async (each: typeof client) => Buffer.byteLength(JSON.stringify(await each.listTools()));
  expect(readme).toContain(`This one takes ${(await bytes(client)) - (await bytes(plain))} bytes`);
  expect(await workspace.say(client, 'orders_of', { customer: 2 })).toContain('| 3 | 7.25 |');
});
