import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { type Packed, repository } from '../pack/pack.ts';

/**
 * Checks each tarball with publint, and each library with "are the types wrong".
 * Throws with what they report.
 */
export async function checkManifests(packages: readonly Packed[]): Promise<void> {
  for (const { name, tarball } of packages) {
    const data = readFileSync(tarball);
    const { messages, pkg } = await publint({
      pack: { tarball: data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength) },
      strict: true,
    });
    if (messages.length > 0) {
      throw new Error(`${name}: ${messages.map((message) => formatMessage(message, pkg)).join('\n')}`);
    }
    console.log(`${name}: publint reports nothing`);
    if (!pkg.exports) continue;
    // The profile ignores only the resolution of Node 10, which knows no `exports`. Style sheets have no
    // types.
    const attw = join(repository, 'release/node_modules/.bin/attw');
    const styles = Object.keys(pkg.exports).filter((entry) => entry.endsWith('.css'));
    const without = styles.length > 0 ? ['--exclude-entrypoints', ...styles] : [];
    execFileSync(attw, [tarball, '--profile', 'node16', '--quiet', ...without], { stdio: 'inherit' });
    console.log(`${name}: attw reports nothing`);
  }
}
