import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { runProgram } from '@mcp/test-kit';
import { afterAll, expect, inject, test } from 'vitest';
import { repository, serverProgram } from './server-program.ts';

// The code that the command mcp generates from servers of this repository, and from others as published.

const run = promisify(execFile);
const mcp = join(repository, 'packages/host/dist/main.cjs');
// The directory is inside the repository, so that the code finds the packages that it imports.
mkdirSync(join(repository, 'test/.generated'), { recursive: true });
const base = mkdtempSync(join(repository, 'test/.generated/code-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const [code, data] = [join(base, 'code'), join(base, 'data')];
for (const directory of [code, data]) mkdirSync(directory);

const node = (...args: string[]) => ({ command: process.execPath, args });
/** A server whose tools answer with their arguments, and whose names are those of objects and of helpers. */
const oddServer = `
const schema = {
  type: 'object',
  properties: {
    of: { $ref: '#/$defs/of' },
    toString: { type: 'string', description: '\u009b31m' },
    '\u202e': { type: 'string' },
    on: { type: 'boolean' },
    maybe: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    count: { type: ['integer', 'null'] },
    help: { type: 'string' },
  },
  required: ['on'],
  $defs: { of: { type: 'string' } },
};
const tools = ['content', 'structured', 'constructor'].map((name) => ({ name, inputSchema: schema, outputSchema: schema }));
const results = {
  initialize: () => ({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'odd', version: '1' } }),
  'tools/list': () => ({ tools }),
  'tools/call': (params) => ({ content: [], structuredContent: params.arguments }),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (results[method]) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method](params) }));
  else if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: '' } }));
});
`;
writeFileSync(join(base, 'odd.cjs'), oddServer);
const published = (path: string, file = 'dist/index.js') =>
  join(repository, 'test/official/node_modules', path, file);
const official = (name: string) => published(`@modelcontextprotocol/server-${name}`);
const ours = {
  files: node(serverProgram('filesystem'), data, '--structured'),
  git: node(serverProgram('git'), '--repository', data, '--structured'),
  sqlite: node(serverProgram('sqlite'), join(data, 'a.db'), '--structured'),
  weather: node(serverProgram('weather'), '--demo', '--structured'),
  run: node(serverProgram('run'), join(data, 'commands.json'), '--structured'),
  odd: { ...node(join(base, 'odd.cjs')), env: { ODD: 'yes' } },
};
/** They list their tools without a network, and without a browser or a valid key. */
const others = {
  everything: node(official('everything'), 'stdio'),
  official_files: node(official('filesystem'), data),
  memory: node(official('memory')),
  thinking: node(official('sequential-thinking')),
  github: node(official('github')),
  context7: node(published('@upstash/context7-mcp')),
  git_of_another: node(published('@cyanheads/git-mcp-server')),
  notion: node(published('@notionhq/notion-mcp-server', 'bin/cli.mjs')),
  playwright: node(published('@playwright/mcp', 'cli.js')),
  chrome: node(
    published('chrome-devtools-mcp', 'build/src/bin/chrome-devtools-mcp.js'),
    '--no-usage-statistics',
  ),
  gitlab: {
    ...node(published('@zereight/mcp-gitlab', 'build/index.js')),
    env: { GITLAB_PERSONAL_ACCESS_TOKEN: 'none' },
  },
  airtable: { ...node(published('airtable-mcp-server', 'dist/main.js')), env: { AIRTABLE_API_KEY: 'none' } },
  open_meteo: node(published('open-meteo-mcp-server')),
  sqlite_tools: node(published('mcp-sqlite-tools')),
};
const servers = { ...ours, ...(inject('official') && others) };
const configuration = join(base, 'mcp.json');
writeFileSync(configuration, JSON.stringify({ mcpServers: servers }));
const env = { PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`, HOME: base };

writeFileSync(join(data, 'a.txt'), 'Milk\n');
writeFileSync(
  join(data, 'commands.json'),
  JSON.stringify({
    writable: [],
    cwd: '.',
    commands: { hello: { description: 'Greets.', argv: ['echo', 'hi'] } },
  }),
);
new DatabaseSync(join(data, 'a.db')).exec('create table t (a)');

/** Runs commands in one shell, whose servers stay open. */
async function generate(commands: readonly string[]): Promise<void> {
  const words = ['--config', configuration, '--yes', 'shell'];
  const { stdout, stderr } = await runProgram(mcp, words, { env, input: commands.join('\n') });
  expect(stdout + stderr).toBe('');
}

test('types, clients and programs of all servers compile, and do what they say', async () => {
  await generate([
    `types -o ${join(code, 'types.ts')}`,
    ...Object.keys(servers).flatMap((name) => [
      `generate client ${name} -o ${join(code, `${name}.ts`)}`,
      `generate client ${name} --zod -o ${join(code, `${name}-zod.ts`)}`,
      `generate cli ${name} -o ${join(code, `${name}-cli.ts`)}`,
    ]),
  ]);
  const options = { noEmit: true, customConditions: [], types: ['node'], skipLibCheck: true };
  const tsconfig = { extends: '../../../../tsconfig.base.json', compilerOptions: options };
  writeFileSync(join(code, 'tsconfig.json'), JSON.stringify(tsconfig));
  const tsc = join(repository, 'node_modules/typescript/bin/tsc');
  const { stdout } = await run(process.execPath, [tsc, '-p', code, '--checkers', '2']).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout).toBe('');
  // A wrong schema for zod throws when its module is loaded.
  const modules = Object.keys(servers).map((name) => `import './${name}-zod.ts';`);
  writeFileSync(join(code, 'all-zod.ts'), modules.join('\n'));
  expect(await runProgram(join(code, 'all-zod.ts'), [], { env })).toMatchObject({ stderr: '', code: 0 });
  const flags = ['read-text-file', '--path', join(data, 'a.txt'), '--head', '1'];
  expect(await runProgram(join(code, 'files-cli.ts'), flags, { env })).toMatchObject({
    stdout: 'Milk\n',
    code: 0,
  });
});

test('a generated program takes each argument, and refuses a number that is not exact', async () => {
  const [program, set] = [join(code, 'odd-cli.ts'), { ...env, ODD: '' }];
  const odd = (...words: string[]) => runProgram(program, words, { env: set });
  const answer = async (...words: string[]) => JSON.parse((await odd('content', ...words)).stdout) as unknown;
  const flags = ['--no-on', '--maybe', 'yes', '--count', '3', '--toString', 'x', '--help=y'];
  expect(await answer(...flags)).toEqual({ on: false, maybe: 'yes', count: 3, toString: 'x', help: 'y' });
  expect((await odd('content', '--on', '--count', '9007199254740993')).stderr).toBe(
    'Invalid --count: "9007199254740993"; expected number of at most 9007199254740991\n',
  );
  expect((await odd('structured')).stderr).toBe('Missing flag: --on\n');
  expect((await runProgram(program, ['content', '--on'], { env })).stderr).toBe(
    'The variable ODD is not set\n',
  );
  expect(
    (await runProgram(join(code, 'files-cli.ts'), ['read-text-file', '--help'], { env })).stdout,
  ).toMatch(/^Reads .*\n--path +required\b/);
});

test.skipIf(!inject('official'))('a generated client calls a server of the official SDK', async () => {
  writeFileSync(
    join(code, 'program.ts'),
    `import { Client } from '@mcp/protocol/client';
import { serverCommand } from '@mcp/protocol/stdio';
import { EverythingClient } from './everything-zod.ts';
const command = ${JSON.stringify(others.everything)};
const client = await Client.connect(serverCommand({ ...command, stderr: 'ignore' }));
const everything = new EverythingClient(client);
console.log(JSON.stringify(await everything.echo({ message: 'Hi' })));
console.log((await everything.getStructuredContent({ location: 'Chicago' })).temperature > -100);
await everything.echo({} as never).catch((error: Error) => console.log(error.name));
await client.close();
`,
  );
  const { stdout } = await runProgram(join(code, 'program.ts'), [], { env });
  expect(stdout).toBe('[{"type":"text","text":"Echo: Hi"}]\ntrue\nZodError\n');
});
