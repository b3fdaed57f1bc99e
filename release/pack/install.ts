import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Packed } from './pack.ts';

/** Installs a package with its dependencies into an empty directory, as its users do. */
export function install({ tarball }: Packed, directory: string): void {
  writeFileSync(join(directory, 'package.json'), '{ "private": true }');
  const command = ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball];
  execFileSync('npm', command, { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] });
}
