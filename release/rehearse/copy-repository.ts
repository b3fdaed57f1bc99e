import { execFileSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../pack/pack.ts';

/** Copies the tracked and new files of the repository, as a fresh clone of the next commit has them. */
export function copyRepository(to: string): void {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const names = execFileSync('git', list, {
    cwd: repository,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  }).split('\0');
  for (const name of names) {
    const from = join(repository, name);
    // git also lists a file that is deleted in the work tree, but not yet in the index.
    if (name === '' || !existsSync(from)) continue;
    cpSync(from, join(to, name), { recursive: true, force: false });
  }
}
