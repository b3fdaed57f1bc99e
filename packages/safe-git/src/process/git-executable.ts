import { setMaxListeners } from 'node:events';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Environments } from './environment.ts';
import type { CommandOutput } from '../command.ts';
import { identities } from '../file-states.ts';
import { runGit, type GitRun } from './git-process.ts';

/** The oldest supported version of git: the first that has `worktree list -z`. */
const minGitVersion = [2, 36] as const;
const versionTimeoutMs = 20_000;

/**
 * The git executables whose version was checked, by path and file identity. They are remembered for the
 * process, because one process can run many servers.
 */
const supported = new Set<string>();

/** The git executable that runs every command. Disposing of it stops the git processes that still run. */
export class GitExecutable implements Disposable {
  readonly #environments: Environments;
  readonly #cwd: string;
  readonly #closing = withoutListenerLimit(new AbortController());
  #path: Promise<string> | undefined;

  constructor(environments: Environments, cwd: string) {
    this.#environments = environments;
    this.#cwd = cwd;
  }

  /** The absolute path of git, found on first use. Throws if git is missing or older than 2.36. */
  path(): Promise<string> {
    this.#path ??= this.#find();
    return this.#path;
  }

  async run(run: Omit<GitRun, 'program' | 'closing'>): Promise<CommandOutput> {
    return runGit({ ...run, program: await this.path(), closing: this.#closing.signal });
  }

  [Symbol.dispose](): void {
    this.#closing.abort();
  }

  async #find(): Promise<string> {
    const { path, inspection: env } = this.#environments;
    const program = findGit(path);
    const key = `${program} ${identities([program])}`;
    if (supported.has(key)) return program;
    const { signal: closing } = this.#closing;
    const { stdout } = await runGit({
      program,
      args: ['version'],
      cwd: this.#cwd,
      env,
      closing,
      timeoutMs: versionTimeoutMs,
      maxBytes: 1_000,
    });
    assertVersion(stdout.toString('utf8').trim());
    supported.add(key);
    return program;
  }
}

/** Every running git adds a listener to the signal. So many listeners are normal, and Node must not warn. */
function withoutListenerLimit(controller: AbortController): AbortController {
  setMaxListeners(0, controller.signal);
  return controller;
}

/**
 * Finds the absolute path of git in PATH. If git were started by its name, the system could find a program in
 * the repository.
 */
function findGit(path: string): string {
  const names = process.platform === 'win32' ? ['git.exe'] : ['git'];
  for (const directory of path.split(delimiter)) {
    for (const name of names) {
      const program = join(directory, name);
      try {
        accessSync(program, constants.X_OK);
        if (statSync(program).isFile()) return program;
      } catch {
        // This directory has no executable git, so the next one is tried.
      }
    }
  }
  throw new Error('Git is not installed, or not on the PATH; install git 2.36 or newer');
}

function assertVersion(printed: string): void {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(printed) ?? [];
  const [minMajor, minMinor] = minGitVersion;
  const supported = Number(major) > minMajor || (Number(major) === minMajor && Number(minor) >= minMinor);
  if (!supported)
    throw new Error(`Unsupported git: "${printed}"; install git ${minMajor}.${minMinor} or newer`);
}
