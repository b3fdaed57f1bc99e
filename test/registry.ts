import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { repository } from './server-program.ts';

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

const unreachable =
  /^(EAI_AGAIN|ENOTFOUND|ECONN\w+|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|EIDLETIMEOUT|ERR_SOCKET_TIMEOUT)$/;

/** The reason why no registry answers; undefined when one does. */
async function silenceOfRegistry(): Promise<string | undefined> {
  // With the user's cache, npm would answer without the registry.
  const cache = await mkdtemp(join(tmpdir(), 'mcp-registry-'));
  try {
    const patience = ['--fetch-retries=0', '--fetch-timeout=5000'];
    const ask = ['view', 'better-sqlite3@13', 'version', `--cache=${cache}`, ...patience];
    await run('npm', ask, { cwd: cache, timeout: 15_000, killSignal: 'SIGKILL', shell });
    return undefined;
  } catch (error) {
    const { stderr = '', killed } = error as { stderr?: string; killed?: boolean };
    if (killed) return 'no answer within 15 s';
    const code = /npm error code (\S+)/.exec(stderr)?.[1] ?? '';
    if (unreachable.test(code)) return code;
    // There is a registry. Another fault, such as an untrusted certificate, is no reason to skip.
    throw error;
  } finally {
    await rm(cache, { recursive: true, force: true });
  }
}
