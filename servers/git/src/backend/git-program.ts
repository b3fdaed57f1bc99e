import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Environments } from './environment.ts';
import { runGit, type Environment } from './git-process.ts';

/** The oldest git that has what this server counts on: `worktree list -z` is from this one. */
const oldestGit = [2, 36] as const;

/** The git that everything is done with. */
export class GitProgram {
  readonly #environments: Environments;
  readonly #cwd: string;
  #usable: Promise<string> | undefined;

  constructor(environments: Environments, cwd: string) {
    this.#environments = environments;
    this.#cwd = cwd;
  }

  /** Where it is, once it is known to be new enough. Looked for when it is first needed. */
  usable(): Promise<string> {
    this.#usable ??= this.#find();
    return this.#usable;
  }

  async #find(): Promise<string> {
    const { path, looking } = this.#environments;
    const program = findGit(path);
    await checkVersion(program, this.#cwd, looking);
    return program;
  }
}

/** Where git is: looked up once, so that nothing in a repository can be taken for it. */
function findGit(path: string): string {
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
async function checkVersion(program: string, cwd: string, env: Environment): Promise<void> {
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
