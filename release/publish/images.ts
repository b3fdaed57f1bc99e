import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { repository } from '../pack/pack.ts';
import { fail } from '../run.ts';
import { manifestOf, servers } from '../version/registry-entry.ts';

// Builds the container image of each server from the tarballs of a directory, for amd64 and arm64, and
// pushes it: `node release/publish/images.ts <directory> [--dry-run]`. With `--dry-run`, it prepares each
// build and prints its command.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean' } },
});
const directory = resolve(positionals[0] ?? 'tarballs');
const base = mkdtempSync(join(tmpdir(), 'images-'));
process.on('exit', () => rmSync(base, { recursive: true, force: true }));
for (const server of servers) {
  const { version, repository: source } = manifestOf(server);
  const [, owner, project] = /github\.com\/([^/]+)\/([^/.]+)/.exec(source.url)!;
  const image = `ghcr.io/${owner}/server-${server.name}`;
  const command = [
    'buildx',
    'build',
    '--platform=linux/amd64,linux/arm64',
    `--label=org.opencontainers.image.source=https://github.com/${owner}/${project}`,
    `--tag=${image}:${version}`,
    ...(version.includes('-') ? [] : [`--tag=${image}:latest`]),
    '--push',
    '.',
  ];
  const context = prepare(server.name, version);
  console.log(`docker ${command.join(' ')}`);
  if (values['dry-run']) continue;
  const { status } = spawnSync('docker', command, { cwd: context, stdio: 'inherit' });
  if (status !== 0)
    fail(`${image}:${version} was not pushed; run the command again when the cause is mended`);
}

/** Creates the directory with the files that the Dockerfile of a server copies. Throws if one is missing. */
function prepare(name: string, version: string): string {
  const context = join(base, name);
  const tarball = `mcp-server-${name}-${version}.tgz`;
  if (!existsSync(join(directory, tarball))) {
    fail(`${directory} has no ${tarball}; run \`node release/pack/pack-all.ts\` with it`);
  }
  mkdirSync(context);
  execFileSync('tar', ['xzf', join(directory, tarball), '-C', context, '--strip-components=1']);
  cpSync(join(directory, tarball), join(context, tarball));
  const dockerfile = join(repository, 'servers', name, 'Dockerfile');
  cpSync(dockerfile, join(context, 'Dockerfile'));
  for (const [, from] of readFileSync(dockerfile, 'utf8').matchAll(/^COPY (\S+)/gm)) {
    if (globSync(from!, { cwd: context }).length === 0) throw new Error(`${tarball} has no ${from}`);
  }
  return context;
}
