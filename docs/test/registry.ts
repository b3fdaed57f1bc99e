import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { silenceOfRegistry } from '../../test/silence-of-registry.ts';

/** Installs the libraries that pages have programs of, if a registry answers. */
export default async function setup(): Promise<void> {
  const silence = await silenceOfRegistry();
  if (silence === undefined) {
    const install = ['--dir', 'bench/side-by-side', 'install', '--frozen-lockfile', '--prefer-offline'];
    await promisify(execFile)('pnpm', install, { shell: process.platform === 'win32' });
  } else {
    process.stdout.write(
      `Skipped: tests with programs of other libraries: the registry does not answer (${silence})\n`,
    );
  }
}
