import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from './server-program.ts';

const run = promisify(execFile);

/** The oldest Node that the published packages promise to run on, and the lines after it. */
export const nodeVersions = ['20.19', '22', '24', '26'];

/** The program of a Node version, from the npm package that ships it; fetched once into `node_modules/.cache`. */
export async function nodeProgram(version: string): Promise<string> {
  const folder = join(repository, 'node_modules/.cache/nodes', version);
  const program = join(folder, 'node_modules/node/bin/node');
  if (existsSync(program)) return program;

  const unfinished = `${folder}.${process.pid}`;
  await mkdir(unfinished, { recursive: true });
  await writeFile(join(unfinished, 'package.json'), '{ "private": true }\n');
  await run('npm', ['install', '--no-audit', '--no-fund', `node@${version}`], { cwd: unfinished });
  await rm(folder, { recursive: true, force: true });
  await rename(unfinished, folder);
  return program;
}
