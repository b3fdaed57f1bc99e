import { execFileSync } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { Client } from '@mcp/protocol/client';
import { serverCommand } from '@mcp/protocol/stdio';
import { install } from './install.ts';
import { type Packed, pack, repository, unpack } from './pack.ts';
import { manifestOf, type PublishedServer, servers } from '../version/registry-entry.ts';

// Makes an MCP bundle (.mcpb) of each server with the official tool, and runs each from its unpacked folder:
// `node release/pack/bundles.ts [directory]`.

const platforms = ['darwin', 'win32', 'linux'];
const base = realpathSync(mkdtempSync(join(tmpdir(), 'bundles-')));
const into = resolve(process.argv[2] ?? join(base, 'bundles'));
const mcpb = join(repository, 'release/node_modules/.bin/mcpb');
try {
  mkdirSync(into, { recursive: true });
  for (const server of servers) {
    const bundle = makeBundle(server, pack(`servers/${server.name}`, base));
    await checkBundle(server, bundle);
    console.log(`${server.name}: the bundle is valid, and its server answers from the unpacked folder`);
  }
} finally {
  rmSync(base, { recursive: true, force: true });
}

/** Packs the published package, with what npm installs beside it, and returns the file of the bundle. */
function makeBundle(server: PublishedServer, packed: Packed): string {
  const { dependencies } = manifestOf(server);
  const folder = join(base, server.name);
  const installed = join(base, `${server.name}-installed`);
  mkdirSync(installed);
  if (dependencies) {
    install(packed, installed);
  } else {
    unpack([packed], installed);
  }
  cpSync(join(installed, 'node_modules', packed.name), folder, { recursive: true });
  rmSync(join(installed, 'node_modules/@mcp'), { recursive: true });
  if (dependencies) {
    cpSync(join(installed, 'node_modules'), join(folder, 'node_modules'), { recursive: true });
    for (const each of Object.keys(dependencies)) checkNativeCode(join(folder, 'node_modules', each));
  }
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(bundleManifest(server), null, 2));
  const bundle = join(into, `mcp-server-${server.name}.mcpb`);
  execFileSync(mcpb, ['validate', join(folder, 'manifest.json')], { stdio: 'ignore' });
  execFileSync(mcpb, ['pack', folder, bundle], { stdio: 'ignore' });
  return bundle;
}

/** Throws unless a package has its native code for every system that the bundle is for. */
function checkNativeCode(folder: string): void {
  const prebuilt = globSync('prebuilds/*.node', { cwd: folder }).map((file) => basename(file));
  const missing = platforms.filter((each) => !prebuilt.some((file) => file.startsWith(`${each}-`)));
  if (missing.length > 0) throw new Error(`${folder} has no native code for ${missing.join(', ')}`);
}

function bundleManifest(server: PublishedServer): object {
  const { name, version, description, homepage, license, author, keywords, engines, ...rest } =
    manifestOf(server);
  return {
    manifest_version: '0.3',
    name: name.replace('@mcp/', 'mcp-'),
    display_name: server.title,
    version,
    description,
    author: { name: author },
    repository: { type: 'git', url: rest.repository.url.replace(/^git\+/, '') },
    homepage,
    license,
    keywords,
    server: {
      type: 'node',
      entry_point: 'dist/main.cjs',
      mcp_config: {
        command: 'node',
        args: [
          '${__dirname}/dist/main.cjs',
          ...server.arguments.flatMap(({ option, key }) => [
            ...(option ? [option] : []),
            `\${user_config.${key}}`,
          ]),
        ],
      },
    },
    tools_generated: true,
    prompts_generated: true,
    compatibility: { platforms, runtimes: { node: engines.node } },
    user_config: Object.fromEntries(
      server.arguments.map(({ key, kind, title, description: text, required, repeated }) => [
        key,
        { type: kind, title, description: text, required, ...(repeated && { multiple: true }) },
      ]),
    ),
  };
}

/**
 * Unpacks a bundle with the official tool and starts its server as a host does.
 * Throws when it does not answer.
 */
async function checkBundle(server: PublishedServer, bundle: string): Promise<void> {
  const folder = join(base, `${server.name}-unpacked`);
  const world = join(base, `${server.name}-world`);
  mkdirSync(world);
  writeFileSync(join(world, 'a.db'), '');
  writeFileSync(join(world, 'commands.json'), '{ "writable": [], "commands": {} }');
  execFileSync('git', ['init', '--quiet'], { cwd: world });
  execFileSync(mcpb, ['unpack', bundle, folder], { stdio: 'ignore' });
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as {
    server: { mcp_config: { args: string[] } };
  };
  const values: Record<string, string> = {
    directory: world,
    repository: world,
    database: join(world, 'a.db'),
    commands: join(world, 'commands.json'),
  };
  const args = manifest.server.mcp_config.args.map((arg) =>
    arg
      .replace('${__dirname}', folder)
      .replace(/\$\{user_config\.(\w+)\}/, (_, key: string) => values[key] ?? ''),
  );
  const client = await Client.connect(serverCommand({ command: process.execPath, args }));
  const tools = await client.listTools();
  await client.close();
  if (tools.length === 0) throw new Error(`${server.name}: the server of the bundle lists no tools`);
  if (server.name === 'sqlite') await checkOwnBundle(folder, join(world, 'a.db'));
}

/** Makes a bundle with the server's command `bundle`, and starts the server of that bundle as a host does. */
async function checkOwnBundle(program: string, database: string): Promise<void> {
  const [bundle, folder] = [join(base, 'own.mcpb'), join(base, 'own-unpacked')];
  const command = [join(program, 'dist/main.cjs'), 'bundle', database, '--out', bundle];
  execFileSync(process.execPath, command, { stdio: 'ignore' });
  execFileSync(mcpb, ['unpack', bundle, folder], { stdio: 'ignore' });
  execFileSync(mcpb, ['validate', join(folder, 'manifest.json')], { stdio: 'ignore' });
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as {
    server: { mcp_config: { args: string[] } };
  };
  const args = manifest.server.mcp_config.args.map((arg) => arg.replace('${__dirname}', folder));
  const client = await Client.connect(serverCommand({ command: process.execPath, args }));
  const { isError } = await client.callTool('query', { sql: 'SELECT 1' });
  await client.close();
  if (isError) throw new Error('The server of a bundle with a database does not read it');
}
