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
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Client } from '@mcp/protocol/client';
import { serverCommand } from '@mcp/protocol/stdio';
import { copyRepository } from './copy-repository.ts';
import { serveEntries } from '../registries/entry-registry.ts';
import { pnpm } from '../pack/pack.ts';
import { servePackages } from '../registries/package-registry.ts';
import { run as execute } from '../run.ts';

// Rehearses a release in a copy of the repository, with the commands of RELEASING.md and of the workflow that
// a tag starts: from `pnpm changeset version` to starting a server with `npx`. The registries are servers on
// the loopback, each of which fails once.

const base = realpathSync(mkdtempSync(join(tmpdir(), 'rehearsal-')));
const clone = join(base, 'clone');
const tarballs = join(base, 'tarballs');
try {
  const version = await makeVersion();
  await run({}, 'node', 'release/pack/pack-all.ts', tarballs);
  await publishPackages(version);
  await publishEntries(version);
  await run({}, 'node', 'release/publish/images.ts', tarballs, '--dry-run');
  console.log('The builds of the container images find their files');
} finally {
  rmSync(base, { recursive: true, force: true });
}

/** Makes the version that is due, as a maintainer does, and tags it. Returns the version. */
async function makeVersion(): Promise<string> {
  mkdirSync(clone);
  copyRepository(clone);
  const [command, ...before] = pnpm();
  await run({}, command, ...before, 'install', '--frozen-lockfile', '--prefer-offline');
  await run({}, 'git', 'init', '--quiet');
  // At the commit of a release, there are no changesets: they were applied, and the version is the new one.
  const changesets = globSync('.changeset/*.md', { cwd: clone, exclude: ['.changeset/README.md'] });
  if (changesets.length > 0) await run({}, command, ...before, 'changeset', 'version');
  const host = JSON.parse(readFileSync(join(clone, 'packages/host/package.json'), 'utf8')) as {
    version: string;
  };
  const { version } = host;
  await run({}, 'node', 'release/version/check-tag.ts', `v${version}`);
  await expectFailure(run({}, 'node', 'release/version/check-tag.ts', 'v9.9.9'), 'delete the tag and make v');
  const tests = ['registry-entry.test.ts', 'package-metadata.test.ts', 'documents.test.ts'];
  await run({}, command, ...before, '--dir', 'test', 'test', ...tests);
  console.log(`The next version is ${version}, and the tests that read versions pass`);
  return version;
}

/**
 * Publishes the packages in several attempts: as a dry run, with a wrong token, with a failure on the way,
 * and then without a failure. Also starts one of the servers with `npx`.
 */
async function publishPackages(version: string): Promise<void> {
  const token = 'token of the rehearsal';
  let failing: string | undefined = '@mcp/host';
  await using registry = await servePackages([], {
    token,
    refusal: (name) => (name === failing ? 'The registry is full' : undefined),
  });
  const publish = (own: string, directory: string, ...options: readonly string[]) =>
    run(
      { npm_config_registry: registry.url, NODE_AUTH_TOKEN: own, npm_config_cache: join(base, 'cache') },
      'node',
      'release/publish/publish-packages.ts',
      directory,
      '--no-provenance',
      ...options,
    );

  await expectFailure(publish('', join(base, 'nothing')), 'No such directory');
  await publish('', tarballs, '--dry-run');
  await expectFailure(publish('wrong', tarballs), 'Unauthorized');
  expectPublished(registry.published, []);
  await expectFailure(publish(token, tarballs), 'The registry is full');
  expectPublished(registry.published, [
    '@mcp/protocol',
    '@mcp/watch',
    '@mcp/sandbox',
    '@mcp/sqlite-pool',
    '@mcp/weather-data',
    '@mcp/run-commands',
    '@mcp/safe-git',
    '@mcp/outline',
    '@mcp/documents',
    '@mcp/vendors',
    '@mcp/authorization',
    '@mcp/verifiers',
    '@mcp/redis',
    '@mcp/openapi',
    '@mcp/skills',
    '@mcp/views',
    '@mcp/login',
  ]);
  failing = undefined;
  await publish(token, tarballs);
  const all = [
    'protocol',
    'watch',
    'sandbox',
    'sqlite-pool',
    'weather-data',
    'run-commands',
    'safe-git',
    'outline',
    'documents',
    'vendors',
    'authorization',
    'verifiers',
    'redis',
    'openapi',
    'skills',
    'views',
    'login',
    'host',
    'create-server',
    'server-filesystem',
    'server-git',
    'server-sqlite',
    'server-weather',
  ];
  expectPublished(
    registry.published,
    [...all, 'server-run'].map((name) => `@mcp/${name}`),
  );

  const changed = join(base, 'changed');
  cpSync(tarballs, changed, { recursive: true });
  const file = join(changed, `mcp-watch-${version}.tgz`);
  writeFileSync(file, gzipSync(gunzipSync(readFileSync(file)), { level: 1 }));
  await expectFailure(publish(token, changed), `@mcp/watch@${version} is published with other bytes`);
  await publish(token, changed, '--dry-run');
  console.log(
    `${registry.published.length} packages are published after a failure, in the order of their needs`,
  );

  await startByNpx(registry.url, version);
}

/** Starts a published server as its README says, in an empty directory. */
async function startByNpx(registry: string, version: string): Promise<void> {
  const empty = join(base, 'empty');
  mkdirSync(empty);
  writeFileSync(join(empty, '.npmrc'), `@mcp:registry=${registry}\ncache=${join(base, 'cache')}\n`);
  const args = ['--yes', '@mcp/server-filesystem', empty];
  const client = await Client.connect(serverCommand({ command: 'npx', args, cwd: empty }));
  const tools = await client.listTools();
  const { serverInfo } = client;
  await client.close();
  if (serverInfo?.version !== version || tools.length === 0) {
    throw new Error(`npx started ${serverInfo?.name} ${serverInfo?.version} with ${tools.length} tools`);
  }
  console.log(`npx @mcp/server-filesystem ${version} lists ${tools.length} tools`);
}

/** Publishes the entries of the servers: as a dry run, with a failure on the way, and again. */
async function publishEntries(version: string): Promise<void> {
  const owner = 'io.github.mcp-reference';
  await using registry = await serveEntries(`${owner}/server-git`);
  const publish = (...options: readonly string[]) =>
    run(
      registry.environment,
      'node',
      'release/publish/publish-entries.ts',
      '--registry',
      registry.url,
      ...options,
    );
  await publish('--dry-run');
  expectPublished(registry.published, []);
  await expectFailure(publish(), 'The registry is down');
  await publish();
  await publish();
  const names = ['filesystem', 'git', 'sqlite', 'weather', 'run'].map((name) => `${owner}/server-${name}`);
  expectPublished(registry.published, names);
  console.log(`${names.length} registry entries of ${version} are published after a failure`);
}

/** Runs a command in the copy. Throws with its output when it fails. */
function run(
  own: Readonly<Record<string, string>>,
  ...command: readonly [string, ...string[]]
): Promise<string> {
  return execute(command, { cwd: clone, env: { ...process.env, ...own } });
}

async function expectFailure(running: Promise<string>, message: string): Promise<void> {
  const failure = await running.then(
    () => 'nothing: it succeeded',
    (error: Error) => error.message,
  );
  if (!failure.includes(message)) throw new Error(`Expected a failure with "${message}", got ${failure}`);
}

function expectPublished(published: readonly string[], expected: readonly string[]): void {
  if (published.join() === expected.join()) return;
  throw new Error(`Expected to be published: ${expected.join(', ')}; are: ${published.join(', ')}`);
}
