import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../..', import.meta.url));

/** The directories of the packages that are published, each after those that it needs. */
export const published = [
  'packages/protocol',
  'packages/watch',
  'packages/sandbox',
  'packages/sqlite-pool',
  'packages/weather-data',
  'packages/run-commands',
  'packages/safe-git',
  'packages/outline',
  'packages/documents',
  'packages/vendors',
  'packages/authorization',
  'packages/verifiers',
  'packages/redis',
  'packages/openapi',
  'packages/skills',
  'packages/views',
  'packages/login',
  'packages/host',
  'packages/create-server',
  'servers/filesystem',
  'servers/git',
  'servers/sqlite',
  'servers/weather',
  'servers/run',
] as const;

/** A package as it would be published. */
export interface Packed {
  readonly name: string;
  readonly tarball: string;
}

/** Packs a package into a directory, as `pnpm publish` would. */
export function pack(directory: string, into: string): Packed {
  const { name } = JSON.parse(readFileSync(join(repository, directory, 'package.json'), 'utf8')) as {
    name: string;
  };
  const [command, ...before] = pnpm();
  const output = execFileSync(command, [...before, 'pack', '--json', '--pack-destination', into], {
    cwd: join(repository, directory),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { filename } = JSON.parse(output.slice(output.indexOf('{'))) as { filename: string };
  return { name, tarball: filename };
}

/** Returns `pnpm` inside a script of pnpm, else the command for the version that the repository requires. */
export function pnpm(): readonly [string, ...string[]] {
  if (process.env['npm_config_user_agent']?.startsWith('pnpm/')) return ['pnpm'];
  const { packageManager } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
    packageManager: string;
  };
  return ['npx', '--yes', packageManager];
}

/** Unpacks packages into `node_modules` of a directory, as an installation would. */
export function unpack(packages: readonly Packed[], directory: string): void {
  for (const { name, tarball } of packages) {
    const target = join(directory, 'node_modules', name);
    mkdirSync(target, { recursive: true });
    execFileSync('tar', ['xzf', tarball, '-C', target, '--strip-components=1']);
  }
}
