import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@mcp/protocol/client';
import { serverCommand } from '@mcp/protocol/stdio';
import { Collector } from '@mcp/test-kit/collector';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { type PackageRegistry, servePackages } from '../release/registries/package-registry.ts';
import { packPackage } from './pack-package.ts';
import { repository } from './server-program.ts';

// These pack and install packages.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const run = promisify(execFile);

/** What `mcp serve` needs. */
const gateway = ['packages/protocol', 'packages/host'];

/** The directory in the commands of the README. */
const placeholder = '/path/to/allowed/directory';

let base: string;
let registry: PackageRegistry;

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'mcp-optional-')));
  const packed = [];
  for (const directory of ['packages/outline', 'packages/documents', 'servers/filesystem', ...gateway])
    packed.push(await packPackage(directory, base));
  registry = await servePackages(packed);
});

afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  await rm(base, { recursive: true, force: true });
});

/** Runs a command of a README in an empty directory, in which npx takes the packages from the registry. */
async function start(
  name: string,
  allowed: string,
  { directory = 'servers/filesystem', more = [], env = {} }: Partial<Command> = {},
): Promise<Client> {
  const readme = await readFile(join(repository, directory, 'README.md'), 'utf8');
  const commands = readme.split('\n').filter((line) => line.startsWith('npx -y -p '));
  const [command = '', ...args] = commands.find((line) => line.includes(`-p ${name} `))!.split(' ');
  const cwd = await mkdtemp(join(base, 'empty-'));
  await writeFile(join(cwd, '.npmrc'), `@mcp:registry=${registry.url}\ncache=${join(base, 'cache')}\n`);
  const own = args.map((arg) => (arg === placeholder ? allowed : arg));
  // npx needs what the machine sets for registries, such as a proxy or certificates.
  return Client.connect(serverCommand({ command, args: [...own, ...more], cwd, env, inheritEnv: 'all' }));
}

/** Where the README with a command is, and what is added to the command. */
interface Command {
  readonly directory: string;
  readonly more: readonly string[];
  readonly env: Record<string, string>;
}

/** A directory with packages that say so when they are loaded. */
async function plantedDirectory(): Promise<string> {
  const directory = await mkdtemp(join(base, 'allowed-'));
  for (const name of ['@mcp/outline', '@mcp/documents', '@opentelemetry/sdk-node']) {
    const planted = join(directory, 'node_modules', name);
    await mkdir(join(planted, 'dist'), { recursive: true });
    await writeFile(join(planted, 'package.json'), `{ "name": "${name}", "main": "dist/index.cjs" }`);
    const mark = `require('node:fs').writeFileSync(${JSON.stringify(join(base, 'planted'))}, '')`;
    await writeFile(join(planted, 'dist/index.cjs'), mark);
  }
  return directory;
}

const textOf = async (client: Client, tool: string, args: Record<string, unknown>) => {
  const { content } = await client.callTool(tool, args);
  return content.map((block) => (block.type === 'text' ? block.text : block.type));
};

test('the command of the README adds outlines', async () => {
  const allowed = await plantedDirectory();
  await writeFile(join(allowed, 'a.ts'), 'class A {\n  run() {}\n}\n');
  const client = await start('@mcp/outline', allowed);
  expect(await textOf(client, 'outline', { path: 'a.ts' })).toEqual([
    '1-3 class A\n  2 method run\n2 symbols',
  ]);
  expect(await textOf(client, 'search_text', { text: 'run', path: 'a.ts' })).toEqual([
    'a.ts\n@ class A > method run (2-2)\n2\t  run() {}\n\n1 line in 1 file',
  ]);
  await client.close();
  expect(existsSync(join(base, 'planted'))).toBe(false);
});

test('the command of the README adds documents', async () => {
  const allowed = await plantedDirectory();
  await writeFile(join(allowed, 'a.pdf'), smallPdf('Hello'));
  const client = await start('@mcp/documents', allowed);
  expect(await textOf(client, 'read_text_file', { path: 'a.pdf' })).toEqual([
    '[Page 1]\nHello',
    'Page 1 of 1',
  ]);
  expect((await client.listTools()).map(({ name }) => name)).not.toContain('outline');
  await client.close();
  expect(existsSync(join(base, 'planted'))).toBe(false);
});

const sdk = '@opentelemetry/sdk-node';

test.skipIf(!inject('registry'))('the command of the README exports telemetry', async () => {
  await using collector = await Collector.start();
  const allowed = await plantedDirectory();
  await writeFile(join(allowed, 'a.txt'), 'secret');
  const client = await start(sdk, allowed, { env: collector.environment });
  expect(await textOf(client, 'read_text_file', { path: 'a.txt' })).toContain('secret');
  await client.close();
  expect(collector.spans.map(({ name }) => name)).toContain('tools/call read_text_file');
  expect(JSON.stringify(collector.requests.map(({ body }) => body.toString()))).not.toContain('secret');
  expect(existsSync(join(base, 'planted'))).toBe(false);
});

test.skipIf(!inject('registry'))('the command of the README of `mcp` exports telemetry', async () => {
  await using collector = await Collector.start();
  const server = join(repository, 'servers/weather/dist/main.cjs');
  const client = await start(sdk, '', {
    directory: 'packages/host',
    more: ['--', process.execPath, server, '--demo'],
    env: collector.environment,
  });
  await client.callTool('current', { place: 'London' });
  await client.close();
  expect(collector.spans.map(({ kind, name }) => `${kind} ${name}`)).toEqual(
    expect.arrayContaining(['server tools/call current', 'client tools/call current']),
  );
});

test('packages in the working directory, in an allowed one and above the server are not loaded', async () => {
  const allowed = await plantedDirectory();
  const above = await plantedDirectory();
  const place = join(above, 'place');
  await mkdir(place);
  await writeFile(join(place, '.npmrc'), `@mcp:registry=${registry.url}\ncache=${join(base, 'cache')}\n`);
  await writeFile(join(place, 'package.json'), '{ "private": true }');
  await run('npm', ['install', '--no-audit', '--no-fund', '@mcp/server-filesystem'], { cwd: place });
  const program = join(place, 'node_modules/@mcp/server-filesystem/dist/main.cjs');
  for (const environment of [{}, { NODE_PATH: join(allowed, 'node_modules') }]) {
    const client = await Client.connect(
      serverCommand({ command: process.execPath, args: [program, allowed], cwd: allowed, env: environment }),
    );
    await writeFile(join(allowed, 'a.pdf'), Uint8Array.of(0));
    expect((await client.listTools()).map(({ name }) => name)).not.toContain('outline');
    expect(await textOf(client, 'read_text_file', { path: 'a.pdf' })).toEqual([
      expect.stringContaining('where the package @mcp/documents is installed beside this server'),
    ]);
    await client.close();
  }
  expect(existsSync(join(base, 'planted'))).toBe(false);
});

/** A PDF file with one page of one text. */
function smallPdf(text: string): string {
  const stream = `BT /F 12 Tf 9 9 Td (${text}) Tj ET`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
    `<</Length ${stream.length}>>\nstream\n${stream}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ];
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('');
  // Without a table of its objects, a reader finds them by itself.
  return `%PDF-1.7\n${body}trailer\n<</Root 1 0 R>>\n%%EOF\n`;
}
