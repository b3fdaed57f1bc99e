import type { Output } from '../command.ts';
import type { Environments } from '../process/environment.ts';
import type { GitProgram } from '../process/git-executable.ts';

/** How git is started to inspect a repository. */
export interface Inspector {
  readonly program: GitProgram;
  readonly environments: Environments;
}

/** To look is to start nothing: reading the index would ask a file system monitor. */
const options = ['safe.bareRepository=all', 'core.fsmonitor=false', 'core.hooksPath=/dev/null'].flatMap(
  (pair) => ['-c', pair],
);
const timeoutMs = 20_000;
const maxBytes = 16 * 1024 * 1024;

/** Asks git where a repository is or what it is set to, before anything else is done with it. */
export function look(
  { program, environments }: Inspector,
  args: readonly string[],
  cwd: string,
  input?: string,
): Promise<Output> {
  return program.run({
    args: [...options, ...args],
    cwd,
    input,
    env: environments.looking,
    timeoutMs,
    maxBytes,
  });
}
