import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from './server-program.ts';

const run = promisify(execFile);

/**
 * Packs a package of this repository into a directory. What Turbo has built is packed as it is: a second
 * build would replace files that other tests use.
 */
export async function packPackage(
  directory: string,
  into: string,
): Promise<{ name: string; tarball: string }> {
  const unbuilt = process.env['TURBO_HASH'] === undefined ? [] : ['--config.ignore-scripts=true'];
  const args = [...unbuilt, 'pack', '--json', '--pack-destination', into];
  const { stdout } = await run('pnpm', args, { cwd: join(repository, directory) });
  const { name, filename } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
    name: string;
    filename: string;
  };
  return { name, tarball: filename };
}
