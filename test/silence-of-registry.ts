import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const shell = process.platform === 'win32';

const unreachable =
  /^(EAI_AGAIN|ENOTFOUND|ECONN\w+|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|EIDLETIMEOUT|ERR_SOCKET_TIMEOUT)$/;

/** The reason why no registry answers; undefined when one does. */
export async function silenceOfRegistry(): Promise<string | undefined> {
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
