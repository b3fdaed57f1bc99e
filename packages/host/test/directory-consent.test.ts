import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { runProgram, TemporaryDirectory } from '@mcp/test-kit';
import { afterAll, expect, test } from 'vitest';
import { smallServer } from './small-server.ts';
import { hasTerminals, Terminal } from './terminal.ts';
import { program, quoted } from './workspace.ts';

// Servers of the user's own configuration, started in a directory that is not the user's.

const directory = new TemporaryDirectory('directory-consent');
afterAll(() => directory[Symbol.dispose]());
const home = join(directory.base, 'home');
const fakes = join(directory.base, 'fakes');
const marker = join(directory.base, 'started');
const env = { PATH: [fakes, process.env['PATH']].join(delimiter), HOME: home, npm_config_offline: 'true' };

/** Writes an executable file. */
function put(file: string, content: string): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content, { mode: 0o755 });
  return file;
}

/** Writes the user's configuration, which has one server `s`. */
function configure(entry: object): string {
  return put(join(home, '.config/mcp/mcp.json'), JSON.stringify({ mcpServers: { s: entry } }));
}

/** Runs a command in a directory; tells whether code of the directory, or a fake launcher, has run. */
async function mcp(cwd: string, args: readonly string[] = ['ping', 's'], own: Record<string, string> = {}) {
  rmSync(marker, { force: true });
  const { code, stderr, stdout } = await runProgram(program, args, { env: { ...env, ...own }, cwd });
  return { code, started: existsSync(marker), stderr, stdout };
}

let count = 0;
/** A new directory with these files. */
function repository(files: Readonly<Record<string, string>>): string {
  const root = join(directory.root, `repository-${count++}`);
  mkdirSync(root);
  for (const [name, content] of Object.entries(files)) put(join(root, name), content);
  return root;
}

const serverScript = smallServer(directory).args[0]!;

/** A package whose program leaves the marker, and is a server. */
function packageFiles(name: string): Record<string, string> {
  return {
    'package.json': JSON.stringify({ name, version: '1.0.0', bin: 'index.js' }),
    'index.js': `#!/usr/bin/env node\nrequire('fs').writeFileSync(${JSON.stringify(marker)}, '');\nrequire(${JSON.stringify(serverScript)});\n`,
  };
}

const memory = '@modelcontextprotocol/server-memory';
const installed: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(packageFiles(memory)).map(([name, text]) => [`node_modules/${memory}/${name}`, text]),
  ),
  'node_modules/.bin/server-memory': packageFiles(memory)['index.js']!,
};
const npx = { command: 'npx', args: ['-y', memory] };

test('npx does not run the package of the current directory or of one above it without consent', async () => {
  const file = configure(npx);
  const root = repository({ ...installed, 'deep/er/README.md': '' });
  for (const cwd of [root, join(root, 'deep/er')]) {
    const { code, started, stderr } = await mcp(cwd);
    expect({ code, started, stderr }).toEqual({
      code: 7,
      started: false,
      stderr:
        `The server "s" of "${file}" was not started: no consent to what "npx" reads here: "${join(root, 'node_modules')}"; ` +
        `to agree once, run mcp --yes ping s in "${cwd}"\n` +
        '  a "cwd" in its entry starts the server in another directory, without this question\n',
    });
  }
});

test('consent is for the files that were named, in that directory', async () => {
  configure(npx);
  const root = repository(installed);
  expect(await mcp(root, ['--yes', 'ping', 's'])).toMatchObject({ code: 0, started: true });
  expect(await mcp(root)).toMatchObject({ code: 0, started: true });
  expect(await mcp(repository(installed))).toMatchObject({ code: 7, started: false });
  put(join(root, '.npmrc'), 'registry=http://127.0.0.1:9/\n');
  const { code, started, stderr } = await mcp(root);
  expect({ code, started }).toEqual({ code: 7, started: false });
  expect(stderr).toContain(`"${join(root, 'node_modules')}", "${join(root, '.npmrc')}"`);
});

const viaGateway = ['show', '--', process.execPath, program, 'serve'];

test.each([['ping'], ['tools'], ['call', 's.x'], viaGateway])(
  '%s says how to agree once',
  async (...args) => {
    configure(npx);
    const root = repository(installed);
    const { started, stdout, stderr } = await mcp(root, args);
    expect(started).toBe(false);
    expect(stdout + stderr).toContain(`to agree once, run mcp --yes ping s in "${root}"`);
  },
);

test('npx asks no registry that an .npmrc of the directory names', async () => {
  configure({ ...npx, env: { npm_config_offline: 'false' } });
  const requests: string[] = [];
  const registry = createServer((request, response) => {
    requests.push(request.url!);
    response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => registry.once('listening', resolve));
  const { port } = registry.address() as AddressInfo;
  const { code } = await mcp(repository({ '.npmrc': `registry=http://127.0.0.1:${port}/\n` }));
  registry.close();
  expect({ code, requests }).toEqual({ code: 7, requests: [] });
});

test('where the directory has nothing that npx reads, it starts the server as before', async () => {
  const root = repository(packageFiles('of-the-user'));
  configure({ command: 'npx', args: ['-y', root] });
  expect(await mcp(repository({ 'README.md': '', 'src/index.ts': '' }))).toMatchObject({
    code: 0,
    started: true,
  });
});

test('an entry with a "cwd" starts there, whatever the current directory has', async () => {
  const root = repository(installed);
  configure({ ...npx, cwd: root });
  expect(await mcp(repository(installed))).toMatchObject({ code: 0, started: true });
});

test('a configuration that was named in its own directory, and a command that was typed, start as before', async () => {
  const root = repository({ ...installed, 'mcp.json': JSON.stringify({ mcpServers: { s: npx } }) });
  const named = await mcp(root, ['--config', 'mcp.json', 'ping', 's']);
  expect(named).toMatchObject({ code: 0, started: true });
  const typed = await mcp(root, ['ping', '--', 'npx', ...npx.args]);
  expect(typed).toMatchObject({ code: 0, started: true });
});

const py = 'open("started", "w")';
const cases: readonly [line: string, file: string, content?: string][] = [
  ['npx -y x', 'package.json', '{}'],
  ['npx -y ./x', 'x', ''],
  ['npm exec -y x', '.npmrc'],
  ['cmd /c npx -y x', 'node_modules/x/index.js'],
  ['sh -c npx_-y_x', '.npmrc'],
  ['env A=1 npx x', '.npmrc'],
  ['pnpm dlx x', 'pnpm-workspace.yaml'],
  ['pnpm dlx x', '.pnpmfile.cjs'],
  ['yarn dlx x', '.yarnrc.yml'],
  ['yarn dlx x', '.pnp.cjs'],
  ['bunx x', 'bunfig.toml'],
  ['bunx x', '.env'],
  ['bun run x', 'package.json'],
  ['bun x.ts', 'x.ts'],
  ['uvx x', 'uv.toml'],
  ['uv run x', 'pyproject.toml'],
  ['uv run x', '.venv/pyvenv.cfg'],
  ['uv run x.py', 'x.py'],
  ['deno run npm:x', 'deno.json'],
  ['deno run -A x.ts', 'x.ts'],
  ['pipx run x', 'pip.py'],
  ['python3 -m server', 'json.py', py],
  ['python3.12 -m server', 'server/__init__.py', py],
  ['python3 server.py', 'server.py', py],
  ['node server.js', 'server.js'],
  ['node --import=./a.mjs /abs.js', 'a.mjs'],
  ['node .', 'index.js'],
  ['node my_server.js', 'my server.js'],
  ['node --import tsx /abs.ts', 'node_modules/tsx/index.js'],
  ['node -r dotenv/config /abs.js', 'node_modules/dotenv/config.js'],
  ['node --run start', 'package.json'],
  ['nodemon /abs.js', 'nodemon.json'],
  ['NPX.CMD -y x', '.npmrc'],
  ['bash -c A=1;npx_x', '.npmrc'],
  ['bash -c (npx_x)', '.npmrc'],
  ['bash -c exec_"npx"_x', '.npmrc'],
  ['bash -c ._./a.sh;x', 'a.sh'],
  ['python3 -um server', 'json.py', py],
  ['python3 -m server -P 5432', 'json.py', py],
  ['clojure -X:mcp', 'deps.edn'],
  ['uv run --directory sub x.py', 'pyproject.toml'],
  ['tsx /abs.ts', 'tsconfig.json'],
  ['bash run.sh', 'run.sh'],
  ['./run.sh', 'run.sh'],
  ['bin/server', 'bin/server'],
  ['docker compose run x', 'compose.yaml'],
  ['dnx Some.Server', 'nuget.config'],
  ['go run ./cmd', 'go.mod'],
  ['cargo run', '.cargo/config.toml'],
  ['mise exec -- x', 'mise.toml'],
];

test.each(cases)(
  '%s starts only after consent where the directory has %s',
  async (line, file, content = '') => {
    const [command = '', ...args] = line.split(' ').map((word) => word.replaceAll('_', ' '));
    const fake = `#!/bin/sh\ntouch ${quoted(marker)}\n`;
    if (!command.includes('/')) put(join(fakes, command), fake);
    configure({ command, args });
    const root = repository({ [file]: content });
    if (command.includes('/')) put(join(root, file), fake);
    const { code, started, stderr } = await mcp(root);
    expect({ code, started }).toEqual({ code: 7, started: false });
    expect(stderr).toContain(`"${root}`);
    expect((await mcp(root, ['--yes', 'ping', 's'])).started).toBe(true);
    expect((await mcp(root)).started).toBe(true);
    if (!command.includes('/')) rmSync(join(fakes, command));
  },
);

test.each([
  ['npx -y x .', 'README.md'],
  ['npx -y x ./data.db', 'data.db'],
  ['node /abs.js .', 'README.md'],
  ['uvx x --repository .', 'pyproject.toml'],
  ['python3 -I -m server', 'json.py'],
  ['python3 -Im server', 'json.py'],
  ['node /abs.js', 'node_modules/x/index.js'],
  ['uv --directory /abs run x.py', 'pyproject.toml'],
  ['uv run --directory=/abs x.py', 'x.py'],
  ['docker run --rm -i x', 'compose.yaml'],
  ['server --config x.json', 'x.json'],
])('%s starts without a question where the directory has %s', async (line, file) => {
  const [command = '', ...args] = line.split(' ');
  put(join(fakes, command), `#!/bin/sh\ntouch ${quoted(marker)}\n`);
  configure({ command, args });
  expect((await mcp(repository({ [file]: '' }))).started).toBe(true);
  rmSync(join(fakes, command));
});

test.each(['.', '', 'bin'])(
  'a program that a relative entry "%s" of PATH finds here needs consent',
  async (entry) => {
    configure({ command: 'server', args: [] });
    const root = repository({});
    put(join(root, entry, 'server'), `#!/bin/sh\ntouch ${quoted(marker)}\n`);
    const PATH = [entry, env.PATH].join(delimiter);
    const { code, started, stderr } = await mcp(root, ['ping', 's'], { PATH });
    expect({ code, started }).toEqual({ code: 7, started: false });
    expect(stderr).toContain(join(root, entry, 'server'));
  },
);

test.each([
  ['NODE_OPTIONS', '--import ./a.mjs', 'a.mjs'],
  ['NODE_OPTIONS', '--import tsx', 'node_modules/tsx/index.js'],
  ['PYTHONPATH', 'src', 'src/json.py'],
])(
  '%s=%s in the environment of an entry needs consent where the directory has %s',
  async (name, value, file) => {
    put(join(fakes, 'server'), `#!/bin/sh\ntouch ${quoted(marker)}\n`);
    configure({ command: 'server', env: { [name]: value } });
    expect(await mcp(repository({ [file]: '' }))).toMatchObject({ code: 7, started: false });
    expect((await mcp(repository({}))).started).toBe(true);
    rmSync(join(fakes, 'server'));
  },
);

test('a program that a launcher finds by a relative entry of PATH needs consent', async () => {
  configure({ command: 'sh', args: ['-c', 'server'] });
  const root = repository({});
  put(join(root, 'bin/server'), `#!/bin/sh\ntouch ${quoted(marker)}\n`);
  const PATH = ['bin', env.PATH].join(delimiter);
  expect(await mcp(root, ['ping', 's'], { PATH })).toMatchObject({ code: 7, started: false });
});

test('what is in a home directory behind a link belongs to its user', async () => {
  configure({ command: 'npx', args: ['-y', repository(packageFiles('of-home'))] });
  put(join(home, '.npmrc'), '');
  const link = join(directory.base, 'linked-home');
  symlinkSync(home, link);
  const project = join(home, 'project');
  mkdirSync(project);
  expect(await mcp(project, ['ping', 's'], { HOME: link })).toMatchObject({ code: 0, started: true });
  rmSync(join(home, '.npmrc'));
});

test.skipIf(!hasTerminals)('the question names the files that the launcher reads', async () => {
  configure(npx);
  const root = repository(installed);
  const command = `cd ${quoted(root)}; exec ${quoted(process.execPath)} ${quoted(program)} ping s`;
  const terminal = new Terminal(`sh -c ${quoted(command)}`, { env });
  const shown = await terminal.shows('Start it? [y/N] ');
  terminal.type('y\r');
  expect(await terminal.ended()).toBe(0);
  expect(shown).toContain(
    'A server of your configuration would run code, or read settings, of this directory:',
  );
  expect(shown.split('\r\n')).toContain(`  npx reads: ${join(root, 'node_modules')}`);
});

test.skipIf(!hasTerminals)('the question about a server of a project names them too', async () => {
  configure({ command: 'true' });
  const root = repository({ ...installed, '.mcp.json': JSON.stringify({ mcpServers: { p: npx } }) });
  const command = `cd ${quoted(root)}; exec ${quoted(process.execPath)} ${quoted(program)} ping p`;
  const terminal = new Terminal(`sh -c ${quoted(command)}`, { env });
  const shown = await terminal.shows('Start it? [y/N] ');
  terminal.type('n\r');
  expect(await terminal.ended()).toBe(7);
  expect(shown.split('\r\n')).toContain(`  npx reads: ${join(root, 'node_modules')}`);
});
