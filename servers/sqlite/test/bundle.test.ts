import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Client } from '@mcp/protocol/client';
import { spawnServer } from '@mcp/protocol/stdio';
import { runProgram } from '@mcp/test-kit';
import { expect, test, vi } from 'vitest';
import { openPromise } from 'yauzl';
import { OtherProcess } from './database-process.ts';
import { Workspace } from './workspace.ts';

// A bundle has 18 MB of native code, which is compressed.
vi.setConfig({ testTimeout: 120_000 });

const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));

/** Unpacks a bundle as a host does, by another implementation of ZIP, which checks each file. */
async function unpack(file: string, into: string): Promise<void> {
  const archive = await openPromise(file);
  for await (const entry of archive.eachEntry()) {
    const path = join(into, entry.fileName);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, await buffer(await archive.openReadStreamPromise(entry)));
  }
}

const queries = `{ "queries": { "named": {
  "description": "Customers of a name.", "database": "shop", "sql": "SELECT id FROM customers WHERE name = :name",
  "params": { "name": { "type": "string" } }
} } }`;

test('a bundle has the server, the databases at one commit, and the settings, and runs where it is unpacked', async () => {
  using workspace = new Workspace(undefined, { wal: true });
  workspace.put('queries.json', queries);
  const stats = workspace.putDatabase('stats 2026.db', 'CREATE TABLE n(v); INSERT INTO n VALUES (7)');
  using other = new OtherProcess(workspace.path);
  await other.run("BEGIN IMMEDIATE; INSERT INTO customers(name) VALUES ('not committed')");
  const out = join(workspace.root, 'shop.mcpb');
  const args = [workspace.path, stats, '--out', out, '--name', 'Our shop', '--author', 'Ada'];
  const settings = ['--queries', join(workspace.root, 'queries.json'), '--max-rows', '2', '--allow-write'];
  const made = await runProgram(program, ['bundle', ...args, ...settings]);
  expect(made).toEqual({
    stdout: expect.stringMatching(/^Wrote .*shop\.mcpb, [\d,]+ bytes: open it with your host\n$/) as unknown,
    stderr: '',
    code: 0,
  });
  expect(readdirSync(workspace.root).filter((name) => /^shop\.db\.|mcp-/.test(name))).toEqual([]);

  const folder = join(workspace.outside, 'unpacked');
  await unpack(out, folder);
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as {
    server: { entry_point: string; mcp_config: { args: string[] } };
  };
  expect(manifest).toMatchObject({
    manifest_version: '0.3',
    name: 'sqlite-our-shop',
    display_name: 'Our shop',
    version: '1.0.0',
    author: { name: 'Ada' },
    server: {
      type: 'node',
      entry_point: 'dist/main.cjs',
      mcp_config: {
        command: 'node',
        args: [
          '${__dirname}/dist/main.cjs',
          '${__dirname}/data/shop.db',
          '${__dirname}/data/stats 2026.db',
          '--queries',
          '${__dirname}/data/queries.json',
          '--allow-write',
          '--max-rows',
          '2',
        ],
      },
    },
  });
  const prebuilt = readdirSync(join(folder, 'node_modules/better-sqlite3/prebuilds'));
  for (const system of ['darwin', 'linux', 'win32'])
    expect(prebuilt.some((name) => name.startsWith(`${system}-`))).toBe(true);
  const started = manifest.server.mcp_config.args.map((arg) => arg.replace('${__dirname}', folder));
  const server = spawnServer({ command: process.execPath, args: started });
  await using client = await Client.connect(server.channel);
  expect((await client.listTools()).map(({ name }) => name)).toContain('write');
  expect(await workspace.say(client, 'named', { name: 'Ben' })).toContain('| 2 |');
  expect(await workspace.say(client, 'named', { name: 'not committed' })).toContain('0 rows');
  const sql = 'SELECT count(*) AS n, v FROM shop.customers, "stats 2026".n';
  expect(await workspace.say(client, 'query', { sql, format: 'csv' })).toBe('n,v\n3,7');
});

test.each([
  [[], 'Missing --out: expected the new file, whose name ends with .mcpb'],
  [['--out', 'x.zip'], 'Missing --out: expected the new file, whose name ends with .mcpb'],
  [['--out', 'OUT'], 'Missing argument: the databases of the bundle'],
  [['gone.db', '--out', 'OUT'], 'No such database: "gone.db"'],
  [['DB', '--out', 'DB.mcpb', '--import', '.'], '--import cannot be an option of a bundle'],
  [['DB', '--out', 'OUT', '--export=/tmp'], '--export cannot be an option of a bundle'],
  [['DB', '--out', 'OUT', '--nonsense'], "Unknown option '--nonsense'"],
  [['DB', '--out', 'OUT', '--max-rows', '0'], 'Invalid --max-rows: "0"; expected an integer from 1'],
  [['DB', '--out', 'OUT', '--queries', 'BAD'], 'bad.json:1: queries: Missing: expected the queries by name'],
  [['ODD', '--out', 'OUT'], 'Invalid name: "${HOME}.db"; a database in a bundle has letters'],
  [['DB', 'SAME', '--out', 'OUT'], 'Two databases have the same file name; rename one of them'],
  [['TEXT', '--out', 'OUT'], 'SQLITE_NOTADB'],
])('bundle %j is refused, and leaves no file', async (args, message) => {
  using workspace = new Workspace();
  const words: { readonly [word: string]: string } = {
    OUT: join(workspace.root, 'out.mcpb'),
    DB: workspace.path,
    BAD: workspace.put('bad.json', '{}'),
    ODD: workspace.putDatabase('${HOME}.db', ''),
    SAME: workspace.make(join(workspace.outside, 'SHOP.db'), ''),
    TEXT: workspace.put('text.db', 'not a database, but long enough to be one'.repeat(20)),
  };
  const given = args.map((arg) => words[arg] ?? arg);
  const { stdout, stderr, code } = await runProgram(program, ['bundle', ...given]);
  expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
  expect(stderr).toMatch(/^[\w-]+ bundle: /);
  expect(stderr).toContain(message);
  expect(existsSync(words['OUT']!)).toBe(false);
});

test('bundle overwrites nothing, and explains itself', async () => {
  using workspace = new Workspace();
  const out = workspace.put('out.mcpb', 'mine');
  const { stderr } = await runProgram(program, ['bundle', workspace.path, '--out', out]);
  expect(stderr).toContain('File exists: ');
  expect(readFileSync(out, 'utf8')).toBe('mine');
  const { stdout } = await runProgram(program, ['bundle', '--help']);
  expect(stdout).toContain('--bundle-version');
  expect((await runProgram(program, ['--help'])).stdout).toContain('bundle <database.db…> --out <file.mcpb>');
});
