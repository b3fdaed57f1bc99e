import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runGit, type Environment } from './git-process.ts';

/** The oldest git that has what this server counts on: `worktree list -z` is from this one. */
export const oldestGit = [2, 36] as const;

/** Where git is: looked up once, so that nothing in a repository can be taken for it. */
export function findGit(path: string): string {
  const names = process.platform === 'win32' ? ['git.exe'] : ['git'];
  for (const directory of path.split(delimiter)) {
    for (const name of names) {
      const program = join(directory, name);
      try {
        accessSync(program, constants.X_OK);
        if (statSync(program).isFile()) return program;
      } catch {
        // Not here.
      }
    }
  }
  throw new Error('Git is not installed, or not on the PATH; install git 2.36 or newer');
}

/** Refuses a git that is too old. */
export async function checkVersion(program: string, cwd: string, env: Environment): Promise<void> {
  const { stdout } = await runGit({
    program,
    args: ['version'],
    cwd,
    env,
    timeoutMs: 20_000,
    maxBytes: 1_000,
  });
  const said = stdout.toString('utf8').trim();
  const [, major, minor] = /(\d+)\.(\d+)/.exec(said) ?? [];
  const [oldestMajor, oldestMinor] = oldestGit;
  const fits = Number(major) > oldestMajor || (Number(major) === oldestMajor && Number(minor) >= oldestMinor);
  if (!fits) throw new Error(`Git ${oldestMajor}.${oldestMinor} or newer is needed, and here is "${said}"`);
}
