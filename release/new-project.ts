import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pack, published, repository } from './pack/pack.ts';
import { servePackages } from './registries/package-registry.ts';
import { fail } from './run.ts';

// Creates a project outside of the repository with the packages of this clone, until they are published:
// `pnpm new-project <directory> [--from <template>] [--language ts|js] [--name <name>]`
// It packs the packages, runs `npm create @mcp/server` with them, and installs them with the host into the
// project. A later `npm install` needs no registry of them as long as `node_modules` is there.

const [directory, ...options] = process.argv.slice(2);
if (directory === undefined || directory.startsWith('-')) {
  fail('Usage: pnpm new-project <directory> [options of npm create @mcp/server]');
}
const target = resolve(directory);
if (target.startsWith(repository)) {
  fail(`The directory "${target}" is in the repository; name one outside, or use \`pnpm new\``);
}

const tarballs = mkdtempSync(join(tmpdir(), 'mcp-packages-'));
try {
  console.log('Building and packing the packages (about two minutes)');
  const packages = published.filter((each) => each.startsWith('packages/'));
  await using registry = await servePackages(packages.map((each) => pack(each, tarballs)));
  const npm = async (cwd: string, ...command: string[]) => {
    const scope = `--@mcp:registry=${registry.url}`;
    // npx keeps installed programs by name and version: it must not run one of an earlier call.
    const cache = `--cache=${join(tarballs, 'cache')}`;
    // Without this variable of pnpm, the commands that are printed next are those of npm.
    const { npm_config_user_agent: _, ...env } = process.env;
    const child = spawn('npm', [scope, cache, ...command], { cwd, env, stdio: 'inherit' });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`npm ${command.join(' ')} ended with the exit code ${code}`);
  };
  await npm(dirname(target), 'create', '--yes', '@mcp/server', target, '--', '--yes', ...options);
  // The lock file would name the registry, which ends with this program.
  await npm(target, 'install', '--no-package-lock', '--save-dev', '@mcp/host');
} finally {
  rmSync(tarballs, { recursive: true, force: true });
}
