import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { repository } from './server-program.ts';
import { silenceOfRegistry } from './silence-of-registry.ts';

const run = promisify(execFile);
const shell = process.platform === 'win32';
const official = join(repository, 'test/official');
const frameworks = join(repository, 'test/frameworks');

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether packages can be installed. */
    registry: boolean;
    /** Whether the packages in `official/` are installed. */
    official: boolean;
    /** Whether the packages in `frameworks/` are installed. */
    frameworks: boolean;
  }
}

/** Checks once whether a registry answers, and installs the packages that only these tests need. */
export default async function setup({ provide }: TestProject): Promise<void> {
  const silence = await silenceOfRegistry();
  if (silence === undefined) {
    for (const directory of [official, frameworks])
      await run('pnpm', ['--dir', directory, 'install', '--frozen-lockfile'], { shell });
  }
  const installed = existsSync(join(official, 'node_modules/.modules.yaml'));
  provide('frameworks', existsSync(join(frameworks, 'node_modules/.modules.yaml')));
  provide('registry', silence === undefined);
  provide('official', installed);
  if (silence === undefined) return;
  const without = installed ? '' : ', and those with official clients and servers';
  process.stdout.write(
    `Skipped: tests that install packages${without}: the registry does not answer (${silence})\n`,
  );
}
