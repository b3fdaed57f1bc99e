import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Environments } from './environment.ts';
import type { Output } from '../command.ts';
import { runGit, type GitRun } from './git-process.ts';

/** The oldest git that has what this server counts on: `worktree list -z` is from this one. */
const oldestGit = [2, 36] as const;

/** The git that everything is done with. Disposing of it ends what it runs. */
export class GitProgram implements Disposable {
  readonly #environments: Environments;
  readonly #cwd: string;
  readonly #closing = new AbortController();
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

  async run(run: Omit<GitRun, 'program' | 'closing'>): Promise<Output> {
    return runGit({ ...run, program: await this.usable(), closing: this.#closing.signal });
  }

  [Symbol.dispose](): void {
    this.#closing.abort();
  }

  async #find(): Promise<string> {
    const { path, looking: env } = this.#environments;
    const program = findGit(path);
    const { signal: closing } = this.#closing;
    const { stdout } = await runGit({
      program,
      args: ['version'],
      cwd: this.#cwd,
      env,
      closing,
      timeoutMs: 20_000,
      maxBytes: 1_000,
    });
    refuseOlder(stdout.toString('utf8').trim());
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

function refuseOlder(said: string): void {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(said) ?? [];
  const [oldestMajor, oldestMinor] = oldestGit;
  const fits = Number(major) > oldestMajor || (Number(major) === oldestMajor && Number(minor) >= oldestMinor);
  if (!fits) throw new Error(`Git ${oldestMajor}.${oldestMinor} or newer is needed, and here is "${said}"`);
}
