import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@mcp/protocol/client';
import { serverCommand } from '@mcp/protocol/stdio';
import { install } from '../pack/install.ts';
import { type Packed, repository } from '../pack/pack.ts';
import { servers } from '../version/registry-entry.ts';

/** The user of the images, `node`; container.sh has it too. */
const user = 1000;

/** A call that each server answers about its volume. */
const calls: Readonly<
  Record<string, readonly [tool: string, args: { [name: string]: string }, answer: string]>
> = {
  filesystem: ['write_file', { path: '/files/new.txt', content: 'One\n' }, 'Created'],
  git: ['git_log', {}, 'First commit'],
  sqlite: ['query', { sql: 'SELECT count(*) AS books FROM books' }, '18'],
  weather: ['save_place', { name: 'home', place: 'Berlin' }, 'Berlin'],
  run: ['greet', {}, 'Hello'],
};

/**
 * Runs each packed server as its Dockerfile and the command in it do, without an engine: as another user
 * than root, on a read-only file system with its volume. Only on Linux where mount namespaces may be made.
 * Throws when a server does not answer.
 */
export async function checkContainers(packages: readonly Packed[], base: string): Promise<void> {
  const namespaces = mountNamespaces();
  if (!namespaces) {
    console.log('Skipped: servers on a read-only file system, because no mount namespace may be made');
    return;
  }
  for (const { name } of servers) {
    const root = join(base, name, 'root');
    const volume = join(base, name, 'volume');
    mkdirSync(join(root, 'app'), { recursive: true });
    mkdirSync(volume);
    const { options, command } = imageOf(name);
    installApp(
      packages.find((each) => each.name === `@mcp/server-${name}`)!,
      join(root, 'app'),
    );
    fillVolume(name, volume, join(root, 'app'));
    const inContainer = (...program: readonly string[]) => [
      ...namespaces,
      ...(options.includes('--network none') ? ['--net'] : []),
      'sh',
      join(repository, 'release/check/container.sh'),
      root,
      process.execPath,
      volume,
      /--volume \S+?:([^\s"]+)/.exec(options)![1]!,
      /--tmpfs (\S+)/.exec(options)?.[1] ?? '',
      ...program,
    ];
    const { stderr } = spawnSync('unshare', inContainer('touch', '/app/new'), { encoding: 'utf8' });
    if (!stderr.includes('Read-only')) throw new Error(`The file system is not read-only: ${stderr}`);
    const demo = name === 'weather' ? ['--demo'] : [];
    const client = await Client.connect(
      serverCommand({ command: 'unshare', args: inContainer(...command, ...demo) }),
    );
    const [tool, args, expected] = calls[name]!;
    const { content } = await client.callTool(tool, args);
    await client.close();
    const answer = JSON.stringify(content);
    if (!answer.includes(expected)) throw new Error(`${name} in a container: ${answer}`);
    console.log(`${name}: the server answers without root, on a read-only file system`);
  }
}

/** The options of `unshare` for a mount namespace here; undefined where none may be made. */
export function mountNamespaces(): readonly string[] | undefined {
  return [['--mount'], ['--map-root-user', '--mount']].find(
    (options) => spawnSync('unshare', [...options, 'true']).status === 0,
  );
}

/** What the Dockerfile of a server says of its container: options of `docker run`, and the command. */
function imageOf(name: string): { readonly options: string; readonly command: readonly string[] } {
  const text = readFileSync(join(repository, 'servers', name, 'Dockerfile'), 'utf8');
  const [, run = ''] = /# +docker run ((?:.*\\\n#)*.*)/.exec(text)!;
  const [options = '', args = ''] = run.replaceAll('\\\n#', '').split(` mcp-server-${name}`);
  const listed = (instruction: string) =>
    JSON.parse(new RegExp(`^${instruction} (.*)`, 'm').exec(text)?.[1] ?? '[]') as string[];
  const given = args.trim().split(/\s+/).filter(Boolean);
  return { options, command: [...listed('ENTRYPOINT'), ...(given.length > 0 ? given : listed('CMD'))] };
}

/**
 * Copies into a directory what the Dockerfile copies into the image: the package or, if it has dependencies,
 * its installation.
 */
function installApp(packed: Packed, app: string): void {
  if (packed.name === '@mcp/server-sqlite') {
    install(packed, app);
  } else {
    execFileSync('tar', ['xzf', packed.tarball, '-C', app, '--strip-components=1']);
  }
}

/** Fills the volume of a server with what its check needs, and gives the files to the user of the image. */
function fillVolume(name: string, volume: string, app: string): void {
  if (name === 'git') {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: volume });
    git('init', '--quiet');
    git('commit', '--quiet', '--allow-empty', '--message', 'First commit');
  }
  if (name === 'sqlite') {
    const sample = join(app, 'node_modules/@mcp/server-sqlite/dist/sample.db');
    cpSync(sample, join(volume, 'database.db'));
  }
  if (name === 'run') {
    const greet = { description: 'Greets.', argv: ['echo', 'Hello'] };
    writeFileSync(
      join(volume, 'commands.json'),
      JSON.stringify({ writable: [], cwd: '.', commands: { greet } }),
    );
  }
  if (process.getuid!() === 0) execFileSync('chown', ['--recursive', `${user}:${user}`, volume]);
}
